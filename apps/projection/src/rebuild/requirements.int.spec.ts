import { beforeEach, expect, it } from '@jest/globals';
import { profileProjection } from '../profile/profile.projection.ts';
import { created, eventRecord, profileA, received } from '../testing/event-log.ts';
import { clock, follow, testReadModel } from '../testing/read-model.ts';
import { withRebuildConnection } from './rebuild-connection.ts';
import { requireRebuildable } from './requirements.ts';
import { schemas } from './schemas.ts';
import { switchOver } from './switch-over.ts';

const profile = profileProjection(new Set());
const database = await testReadModel();
const { pool } = database;

beforeEach(() => database.addSchema(schemas.next));

it('refuses what was read of a longer log, until Kafka was made anew', async () => {
  const follower = follow(pool, profile);
  await follower.claim(0);
  await follower.handle(received([eventRecord('profile', profileA, 1, created(profileA))]));
  await requireRebuildable(pool, [], 'cluster');

  await follower.claim(0, true);
  const refused = /ended before what was read of them(.|\n)*profile\.events\/0 is read/;
  await expect(requireRebuildable(pool, [], 'cluster')).rejects.toThrow(refused);
  await follower.claim(0);
  await expect(requireRebuildable(pool, [], 'cluster')).rejects.toThrow(refused);

  await pool.query(`update projection_offset set cluster_id = ''`); // as npm run republish does
  await follower.claim(0);
  await requireRebuildable(pool, [], 'cluster');
});

it('switches to none that lacks a migration which came meanwhile', async () => {
  await pool.query(`
    insert into _prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
    values ('later', 'later', '20990101000000_later', now(), now(), 1)`);
  const switching = withRebuildConnection(database.url, (connection) =>
    switchOver({ connection, projections: [], now: () => clock.now() }),
  );
  await expect(switching).rejects.toThrow('of different versions (20990101000000_later)');
});
