import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Metrics } from '@paywright/platform';
import type { TopicPartition } from '../message.ts';
import { CoalescingProducer } from '../producer/coalescing-producer.ts';
import { Recorder, textOf } from '../testing/consumer-test.ts';
import { TwoNodes } from '../testing/two-nodes.ts';
import { Gate, until } from '../testing/until.ts';
import { BatchConsumer } from './batch-consumer.ts';
import type { Claim } from './claims.ts';

const offsets = (from: number, behind: number) => Array.from({ length: behind - from }, (_, index) => from + index);

describe('a consumer of two brokers', () => {
  let nodes: TwoNodes;
  let gate: Gate;
  let recorder: Recorder;
  let consumer: BatchConsumer;

  beforeEach(async () => {
    nodes = new TwoNodes();
    gate = new Gate();
    recorder = new Recorder();
  });

  async function start(claim?: Claim): Promise<void> {
    const { kafka, topic } = nodes;
    const metrics = new Metrics();
    consumer = new BatchConsumer({
      ...{ kafka, topic, metrics, group: 'group', carries: 'commands' },
      producer: new CoalescingProducer({ kafka, metrics }),
      handler: async (messages) => {
        await gate.passed;
        return recorder.handler(messages);
      },
      ...(claim && { claim }),
    });
    await consumer.start();
  }

  afterEach(async () => {
    gate.open();
    nodes.close();
    await consumer.stop();
  });

  const handled = () => recorder.seen.map((message) => Number(textOf(message)));

  /** 0 to 9 are in hand, 10 to 19 wait behind them, and what follows is asked for when the leader moves. */
  async function moveWhileMessagesWait(): Promise<void> {
    await nodes.append(10);
    await until(() => nodes.askedFrom === 10);
    await nodes.append(10);
    await until(() => nodes.askedFrom === 20);
    await nodes.movePartition1();
    await nodes.append(10);
  }

  it('handles what waited when it joined the group again, as one broker led a partition no longer', async () => {
    await start();
    await moveWhileMessagesWait();
    gate.open();
    await nodes.append(10);
    await until(() => nodes.committed === 40);

    expect([...new Set(handled())].toSorted((a, b) => a - b)).toEqual(offsets(0, 40));
  });

  it('handles no more of a partition that it has no longer', async () => {
    await start();
    nodes.assigned = [1];
    await moveWhileMessagesWait();
    gate.open();
    await until(() => handled().length > 0);

    expect(handled()).toEqual(offsets(0, 10));
  });

  it.each<[string, (group: TwoNodes) => Promise<void>]>([
    ['its group has another coordinator, which is still loading it', (group) => group.handOver()],
    ['it was expelled, and is not answered in time when it joins again', (group) => group.expel()],
  ])('joins again and commits when %s', async (_, befalls) => {
    gate.open();
    await start();
    await nodes.append(10);
    await until(() => nodes.committed === 10);
    await befalls(nodes);
    await nodes.append(10);
    await until(() => nodes.committed === 20);

    expect(handled()).toEqual(offsets(0, 20));
  });

  it('takes no change of a leader for the sign of a log that is shorter than what was read of it', async () => {
    const anew: TopicPartition[] = [];
    const claim: Claim = async (partitions, shorter) => {
      anew.push(...shorter);
      return partitions.map((place) => ({
        ...place,
        offset: String(place.partition === 0 ? new Set(handled()).size : 0),
      }));
    };
    await start(claim);
    await moveWhileMessagesWait();
    gate.open();
    await nodes.append(10);
    await until(() => nodes.committed === 40);
    await nodes.movePartition1();
    await nodes.append(10);
    await until(() => nodes.committed === 50);

    expect([...new Set(handled())].toSorted((a, b) => a - b)).toEqual(offsets(0, 50));
    expect(anew).toEqual([]);
  });
});
