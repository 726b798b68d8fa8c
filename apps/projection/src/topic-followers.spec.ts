import { expect, it } from '@jest/globals';
import type { PartitionStart } from '@paywright/messaging';
import { TopicFollowers } from './topic-followers.ts';

/** A follower that has something to tell of a loss once, or cannot be asked. */
function follower(topic: string, findLost: () => Promise<readonly PartitionStart[]>) {
  const unused = () => Promise.reject(new Error('Nobody asks for that.'));
  return { topic, awaited: true, claim: unused, handle: unused, findLost };
}

it('tells what one topic’s follower found lost though another one cannot be asked, since it would not be told again', async () => {
  const lost = { topic: 'a', partition: 0, offset: '7' };
  const found = [[lost], []];
  const followers = new TopicFollowers([
    follower('a', async () => found.shift() ?? []),
    follower('b', () => Promise.reject(new Error('The database is away.'))),
  ]);
  const partitions = [lost, { topic: 'b', partition: 0 }].map(({ topic, partition }) => ({ topic, partition }));
  expect(await followers.findLost(partitions)).toEqual([lost]);
  await expect(followers.findLost(partitions)).rejects.toThrow('The database is away.');
});
