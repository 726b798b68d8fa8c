import { expect, it } from '@jest/globals';
import { SystemClock } from '@paywright/platform';
import { testDatabase } from '@paywright/testing';
import { withRebuildConnection } from './rebuild-connection.ts';
import { schemas } from './schemas.ts';
import { switchOver } from './switch-over.ts';

const clock = new SystemClock();
const lock = 'lock table read_model.projection_offset in exclusive mode';

it('lets the projection go on where the rebuild is cut off while it holds its tables', async () => {
  await using database = await testDatabase('read-model');
  const [holds, cutOff] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const rebuild = withRebuildConnection(database.url, async (connection) => {
    await connection.query('begin');
    await connection.query(lock);
    holds.resolve();
    await cutOff.promise; // nothing more comes from it, as from a machine that is gone
  });
  try {
    await holds.promise;
    const waited = database.pool.query(`set local lock_timeout = '30s'; ${lock}`);
    await expect(waited).resolves.toBeDefined();
  } finally {
    cutOff.resolve();
    await rebuild;
  }
});

it('has the server end the connection of a machine that is gone, so that another process leads', async () => {
  await using database = await testDatabase('read-model');
  await withRebuildConnection(database.url, async (connection) => {
    const { rows } = await connection.query(`
      select current_setting('tcp_keepalives_idle') as asked, current_setting('tcp_user_timeout') as ended`);
    expect(rows).toEqual([{ asked: '10', ended: '20000' }]);
  });
});

it('does not switch, and lets the projection go on, while what is folded in takes longer than writers may be kept waiting', async () => {
  await using database = await testDatabase('read-model');
  await database.addSchema(schemas.next);
  const folding = await database.pool.connect();
  await folding.query(`begin; select from ${schemas.next}.projection_offset for update`);
  await withRebuildConnection(database.url, async (connection) => {
    const switched = switchOver({ connection, projections: [], now: () => clock.machineNow() });

    expect(await switched).toBe(false);
    await expect(database.pool.query(`set local lock_timeout = '30s'; ${lock}`)).resolves.toBeDefined();
  });
  folding.release(true);
});
