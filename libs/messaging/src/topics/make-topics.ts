import type { Admin, ITopicConfig } from 'kafkajs';
import { sleep } from '../back-off.ts';

const leadersWithinMs = 60_000;

/**
 * Creates topics and waits until each of their partitions has a leader. kafkajs's own wait fails if the broker that
 * is asked has not heard of the new topics yet.
 * @throws what the last question was answered with, after 60 s
 */
export async function makeTopics(admin: Admin, topics: ITopicConfig[]): Promise<void> {
  await admin.createTopics({ waitForLeaders: false, topics });
  const deadline = performance.now() + leadersWithinMs;
  const names = topics.map(({ topic }) => topic);
  while (!(await haveLeaders(admin, names, performance.now() > deadline))) await sleep(50);
}

async function haveLeaders(admin: Admin, names: string[], isLastTry: boolean): Promise<boolean> {
  try {
    const { topics } = await admin.fetchTopicMetadata({ topics: names });
    const led = topics.every(({ partitions }) => partitions.every(({ leader }) => leader >= 0));
    if (isLastTry && !led) throw new Error('Some partitions have no leader.');
    return led;
  } catch (error) {
    if (isLastTry) throw error;
    return false;
  }
}
