import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Consumer } from 'kafkajs';
import ConsumerGroup from 'kafkajs/src/consumer/consumerGroup.js';
import type { TopicPartition } from '../message.ts';
import { ConsumerTest, Recorder } from '../testing/consumer-test.ts';
import { until } from '../testing/until.ts';
import { Assignment } from './assignment.ts';
import { OffsetCommits } from './offset-commits.ts';

let test: ConsumerTest;
beforeAll(async () => {
  test = await ConsumerTest.open();
});
afterAll(() => test.close());

const claimingAt = (offset: string) => async (partitions: readonly TopicPartition[]) =>
  partitions.map((place) => ({ ...place, offset }));

describe('offsets whose commit is lost, though no message follows', () => {
  it('are committed by whoever claims the partition, where the handler keeps the offsets', async () => {
    const topic = await test.topic();
    await test.publish(topic, 0, '0', '1', '2');
    const proxy = await test.brokerProxy();
    proxy.breakOffCommits();
    const recorder = new Recorder();
    const options = { topic, handler: recorder.handler };
    const kafka = test.connection(proxy.socketFactory);
    const { consumer, group } = await test.consume({ ...options, kafka, claim: claimingAt('0') });
    await until(() => recorder.seen.length === 3 && proxy.brokenOff > 0);
    await consumer.stop();
    expect(await test.committedOffset(group, topic)).toBe(-1);
    await test.consume({ ...options, group, claim: claimingAt('3') });
    await until(async () => (await test.committedOffset(group, topic)) === 3);
    expect(new Set(recorder.texts())).toEqual(new Set(['0', '1', '2']));
  }, 60_000);

  it('are committed again where the group’s coordinator acknowledged them and lost them', async () => {
    const topic = await test.topic();
    await test.publish(topic, 0, '0', '1', '2');
    const { joinAndSync } = ConsumerGroup.prototype;
    const members: ConsumerGroup[] = [];
    ConsumerGroup.prototype.joinAndSync = async function noted() {
      members.push(this);
      await joinAndSync.call(this);
    };
    const recorder = new Recorder();
    const { group } = await test.consume({ topic, handler: recorder.handler });
    ConsumerGroup.prototype.joinAndSync = joinAndSync;
    await until(async () => (await test.committedOffset(group, topic)) === 3);
    const older = [{ topic, partitions: [{ partition: 0, offset: '1' }] }];
    await members.at(-1)!.offsetManager.commitOffsets({ topics: older }); // as its coordinator would have it
    expect(await test.committedOffset(group, topic)).toBe(1);
    await until(async () => (await test.committedOffset(group, topic)) === 3);
    expect(recorder.texts()).toEqual(['0', '1', '2']);
  }, 60_000);

  it('are committed as far as a handler keeps them, where it has lost some', async () => {
    const topic = await test.topic();
    await test.publish(topic, 0, '0', '1', '2');
    const recorder = new Recorder();
    const handler: typeof recorder.handler = async (messages) => {
      if (recorder.seen.length >= 3) throw new Error('the database is away');
      return recorder.handler(messages);
    };
    const findLost = async () =>
      recorder.seen.length === 3 && (await test.committedOffset(group, topic)) === 3
        ? [{ topic, partition: 0, offset: '1' }]
        : [];
    const { group } = await test.consume({ topic, handler, claim: claimingAt('0'), findLost });
    await until(async () => (await test.committedOffset(group, topic)) === 1);
  }, 60_000);
});

describe('commits', () => {
  /** A consumer that acknowledges every commit, noted here. */
  function commitsNoted() {
    const requests: string[][] = [];
    const commitOffsets: Consumer['commitOffsets'] = async (offsets) =>
      void requests.push(offsets.map(({ offset }) => offset));
    return { requests, commits: new OffsetCommits({ commitOffsets } as Consumer, test.logger) };
  }
  const place = { topic: 'topic', partition: 0 };

  it('of an idle consumer are made once, and again only where the group is said to have less', async () => {
    const { requests, commits } = commitsNoted();
    const assignment = new Assignment([place], new AbortController().signal);
    commits.handled({ ...place, next: '3', assignment });
    for (let turn = 0; turn < 3; turn++) await commits.commit();
    expect(requests).toEqual([['3']]);
    expect(commits.acknowledged(place)).toBe(3n);
    commits.commitAgain(place);
    for (let turn = 0; turn < 3; turn++) await commits.commit();
    expect(requests).toEqual([['3'], ['3']]);
  });

  it('are not made again of a partition that may be another’s by now', async () => {
    const { requests, commits } = commitsNoted();
    const assignment = new Assignment([place], new AbortController().signal);
    commits.handled({ ...place, next: '3', assignment });
    await commits.commit();
    assignment.end();
    expect(commits.acknowledged(place)).toBeUndefined();
    commits.commitAgain(place);
    await commits.commit();
    expect(requests).toEqual([['3']]);
  });
});
