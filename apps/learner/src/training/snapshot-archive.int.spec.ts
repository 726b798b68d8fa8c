import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { testDatabase, type TestDatabase } from '@paywright/testing';
import { ModelLearner } from './model-learner.ts';
import { SnapshotArchive } from './snapshot-archive.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase('selection-learning');
});
afterAll(async () => await database[Symbol.asyncDispose]());

const day = 86_400_000;
const begin = Date.UTC(2026, 0, 1);

describe('the archive of snapshots', () => {
  it('keeps what was served within the last 30 days, however long ago it was published', async () => {
    const archive = new SnapshotArchive(database.pool);
    const published = async (model: string, sha256: string, days: number) => {
      const snapshot = { sha256, learnedUntil: begin, bytes: new Uint8Array() };
      const name = { appId: 1, model };
      await archive.keep(name, snapshot, ModelLearner.fresh(`1/${model}`).report(), begin + days * day);
    };
    const kept = async (days: number) => {
      await archive.forget(begin + days * day);
      const { rows } = await database.pool.query<{ sha256: string }>('select sha256 from model_snapshot order by 1');
      return rows.map(({ sha256 }) => sha256);
    };
    await published('busy', 'busy-0', 0);
    await published('busy', 'busy-1', 1);
    await published('frozen', 'frozen-0', 0);
    expect(await kept(31)).toEqual(['busy-0', 'busy-1', 'frozen-0']);
    expect(await kept(32)).toEqual(['busy-1', 'frozen-0']);
    await published('frozen', 'frozen-99', 99);
    expect(await kept(129)).toEqual(['busy-1', 'frozen-0', 'frozen-99']);
    expect(await kept(130)).toEqual(['busy-1', 'frozen-99']);
  });

  it('has the newest of a model, though one that was frozen tells of an older one behind it', async () => {
    const archive = new SnapshotArchive(database.pool);
    const name = { appId: 2, model: 'main' };
    const report = ModelLearner.fresh('2/main').report();
    const snapshot = (sha256: string, learnedUntil: number) => ({ sha256, learnedUntil, bytes: Buffer.from(sha256) });
    const [older, newer] = [snapshot('older', begin), snapshot('newer', begin + day)];
    await archive.keep(name, newer, report, begin + day);
    await archive.keep(name, older, report, begin + 2 * day);
    expect(await archive.newestOf(name)).toEqual({ ...name, ...newer });
    expect(await archive.learnedUntil([name, { appId: 2, model: 'other' }])).toEqual([
      { ...name, learnedUntil: newer.learnedUntil },
    ]);
    const promoted = snapshot('promoted', begin + day);
    await archive.keep(name, promoted, report, begin + 3 * day);
    expect(await archive.newestOf(name)).toEqual({ ...name, ...promoted });
    expect(await archive.newestOf({ appId: 3, model: 'main' })).toBeNull();
  });
});
