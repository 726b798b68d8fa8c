import { expect, it } from '@jest/globals';
import { personalMessage, type OutgoingMessage } from '@paywright/messaging';
import type { Queryable } from '@paywright/read-model';
import type pg from 'pg';
import { appId, profileA, profileB, received } from '../testing/event-log.ts';
import { clear, follow, rowsOf, testReadModel } from '../testing/read-model.ts';
import { PersonalFollower } from './personal-follower.ts';
import { personalProjection } from './personal.projection.ts';

const { pool } = await testReadModel();

const record = (version: number, email?: string, profileId = profileA): OutgoingMessage =>
  personalMessage({ appId, profileId, version, fields: email === undefined ? {} : { email } });

/** What the follower writes behind each of the batches, which come one after the other. */
async function writtenBehind(...batches: readonly (readonly OutgoingMessage[])[]) {
  const follower = new PersonalFollower(follow(pool, personalProjection), pool);
  await follower.claim(0);
  const written: (readonly OutgoingMessage[])[] = [];
  let offset = 0;
  for (const batch of batches) {
    written.push((await follower.handle(received(batch, offset))).publish);
    offset += batch.length;
  }
  return written;
}

it('writes the tombstone again behind a record of before it, in the same batch or later', async () => {
  expect(await writtenBehind([record(1, 'a@x.y'), record(2)], [record(1, 'a@x.y')])).toEqual([[], [record(2)]]);
  await clear(pool);
  expect(await writtenBehind([record(2), record(1, 'a@x.y')])).toEqual([[record(2)]]);
});

it('writes the newest record again behind an older one, of its own profile alone', async () => {
  expect(await writtenBehind([record(3, 'new@x.y'), record(1, 'b@x.y', profileB)], [record(2, 'old@x.y')])).toEqual([
    [],
    [record(3, 'new@x.y')],
  ]);
});

it('writes nothing where the newest comes last, or again, or cannot be read', async () => {
  const broken = { ...record(1, 'a@x.y'), value: 'broken' };
  expect(await writtenBehind([record(1, 'a@x.y')], [record(2, 'b@x.y')], [record(2, 'b@x.y'), broken])).toEqual([
    [],
    [],
    [],
  ]);
});

it('is sent back again to what the database has lost, where it could not ask for newer records', async () => {
  let fault: Error | undefined;
  const database = {
    query: async (statement: pg.QueryConfig) => {
      if (fault) throw fault;
      return pool.query(statement);
    },
  } as Queryable;
  const follower = new PersonalFollower(follow(pool, personalProjection), database);
  await follower.claim(0);
  await follower.handle(received([record(1, 'a@x.y')]));
  await pool.query('update projection_offset set next_offset = 0');
  await pool.query('truncate profile_personal');
  const next = received([record(1, 'b@x.y', profileB)], 1);
  fault = new Error('away');
  await expect(follower.handle(next)).rejects.toThrow('away');
  fault = undefined;
  expect(await follower.handle(next)).toMatchObject({ rewinds: [{ partition: 0, offset: '0' }] });
  expect(await rowsOf(pool, 'profile_personal')).toEqual([]);
});
