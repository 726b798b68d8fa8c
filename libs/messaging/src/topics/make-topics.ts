import { untilAnswered } from '@paywright/platform';
import type { Admin, ITopicConfig } from 'kafkajs';
import { isRetriable } from '../connection/kafka-error.ts';

const patience = { pause: { firstMs: 50, lastMs: 50 }, lastsMs: 60_000, passes: isRetriable };

/**
 * Creates topics and waits until each of their partitions has a leader. kafkajs's own wait fails if the broker that
 * is asked has not heard of the new topics yet. A busy broker may answer too late, and have created them by then, which is
 * all right where it is asked again.
 * @throws what the last question was answered with, after 60 s, or what asking again does not change
 */
export async function makeTopics(admin: Admin, topics: ITopicConfig[]): Promise<void> {
  await untilAnswered(() => admin.createTopics({ waitForLeaders: false, topics }), patience);
  const names = topics.map(({ topic }) => topic);
  await untilAnswered(() => requireLeaders(admin, names), patience);
}

async function requireLeaders(admin: Admin, names: string[]): Promise<void> {
  const { topics } = await admin.fetchTopicMetadata({ topics: names });
  const led = topics.every(({ partitions }) => partitions.every(({ leader }) => leader >= 0));
  if (!led) throw new Error('Some partitions have no leader.');
}
