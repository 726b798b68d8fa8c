import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { testTopics } from './test-topics.ts';

it('gives topics of its own and takes them away again', async () => {
  const topics = await testTopics({ 'profile.events': 3, 'gateway.replies': 1 });
  const names = [topics.nameOf('profile.events'), topics.nameOf('gateway.replies')];
  const admin = topics.connection.client.admin();
  await admin.connect();
  const { topics: found } = await admin.fetchTopicMetadata({ topics: names });
  await topics[Symbol.asyncDispose]();
  // The broker forgets a topic some moments after it has said so.
  while ((await admin.listTopics()).some((name) => names.includes(name))) await delay(50);
  await admin.disconnect();
  const partitionsOf = new Map(found.map(({ name, partitions }) => [name, partitions.length]));
  expect(names.map((name) => partitionsOf.get(name))).toEqual([3, 1]);
}, 30_000);
