import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ClaimLost } from '@paywright/messaging';
import { testDatabase, type TestDatabase } from '@paywright/testing';
import { OwnedPartitions } from '../owned-partitions.ts';
import { RebuildRows } from './rebuild-rows.ts';

const topic = 'selection.learning';
const name = { appId: 1, model: 'main' };
const begun = (night: number) => {
  return { ...name, night, partition: 0, beginOffset: BigInt(night), live: Uint8Array.of(night) };
};

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase('selection-learning');
});
afterAll(async () => await database[Symbol.asyncDispose]());

/** The rows of a process that has claimed the log. */
async function owner(): Promise<RebuildRows> {
  const partitions = new OwnedPartitions(database.pool, 'cluster');
  await partitions.claim([{ topic, partition: 0 }]);
  return new RebuildRows(database.pool, partitions);
}

it('lets no former owner of a log begin a rebuild in place of the one that its owner began', async () => {
  const former = await owner();
  await former.begin(topic, begun(1));
  const present = await owner();
  await present.begin(topic, begun(2));
  await expect(former.begin(topic, begun(1))).rejects.toThrow(ClaimLost);
  expect(await present.find({ ...name, night: 2 })).toMatchObject({ beginOffset: 2n });
  expect(await present.find({ ...name, night: 1 })).toBeNull();
});
