import { expect, it } from '@jest/globals';
import { testDatabase } from '@paywright/testing';
import { withRebuildConnection } from './rebuild-connection.ts';

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
