import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import ConsumerGroup from 'kafkajs/src/consumer/consumerGroup.js';
import { KafkaJSLockTimeout } from 'kafkajs/src/errors.js';
import { createErrorFromCode } from 'kafkajs/src/protocol/error.js';
import { ClaimLost } from '../errors.ts';
import type { ReceivedMessage } from '../message.ts';
import { ConsumerTest, nothing, Recorder, textOf } from '../testing/consumer-test.ts';
import { Gate, until } from '../testing/until.ts';

const partitions = [0, 1, 2, 3];

describe('a rebalance on a real broker', () => {
  let test: ConsumerTest;
  beforeAll(async () => {
    test = await ConsumerTest.open();
  });
  afterAll(() => test.close());

  it('loses nothing and keeps the order, while members come and go under load', async () => {
    const topic = await test.topic(partitions.length);
    const group = `test-${randomUUID()}`;
    const recorder = new Recorder();
    const slowly = async (messages: readonly ReceivedMessage[]) => {
      await delay(30);
      return recorder.handler(messages);
    };
    await test.consume({ topic, group, handler: slowly });
    const rounds = 60;
    const load = (async () => {
      for (let round = 0; round < rounds; round++) {
        await Promise.all(partitions.map((partition) => test.publish(topic, partition, String(round))));
        await delay(40);
      }
    })();
    for (let visit = 0; visit < 2; visit++) {
      const { consumer } = await test.consume({ topic, group, handler: slowly });
      await delay(400);
      await consumer.stop();
    }
    await load;

    const wanted = Array.from({ length: rounds }, (_, round) => String(round));
    const onceSeen = (partition: number) => [...new Set(recorder.texts(partition))];
    await until(() => partitions.every((partition) => onceSeen(partition).length === rounds));
    for (const partition of partitions) expect(onceSeen(partition)).toEqual(wanted);
  }, 60_000);

  it('resumes a partition that was paused when it happened', async () => {
    const topic = await test.topic(2);
    const group = `test-${randomUUID()}`;
    const [begun, gate] = [new Gate(), new Gate()];
    const recorder = new Recorder();
    let handedOff = false;
    const first = async (messages: readonly ReceivedMessage[]) => {
      if (!handedOff && messages[0]?.partition === 0) {
        handedOff = true;
        begun.open();
        await gate.passed;
      }
      return recorder.handler(messages);
    };
    await test.consume({ topic, group, handler: first });
    await test.publish(topic, 0, 'during');
    await begun.passed;
    const { consumer } = await test.consume({ topic, group, handler: recorder.handler });
    await consumer.stop();
    gate.open();
    await test.publish(topic, 0, 'behind');
    await test.publish(topic, 1, 'beside');
    await until(() => ['during', 'behind', 'beside'].every((text) => recorder.texts().includes(text)));
  }, 60_000);

  it('claims partitions before it reads them, from where the claim says', async () => {
    const topic = await test.topic(2);
    const group = `test-${randomUUID()}`;
    await test.publish(topic, 0, '0', '1', '2');
    await test.publish(topic, 1, 'whole');
    const gate = new Gate();
    const recorder = new Recorder();
    let claims = 0;
    const claim = async () => {
      claims += 1;
      await gate.passed;
      if (claims === 1) throw new Error('the database is away');
      return [
        { topic, partition: 0, offset: '2' },
        { topic, partition: 1, offset: '0' },
      ];
    };
    await test.consume({ topic, group, handler: recorder.handler, claim });
    await delay(500);
    expect(recorder.seen).toEqual([]);
    gate.open();
    await until(() => recorder.seen.length === 2);
    expect(recorder.texts(0)).toEqual(['2']);
    expect(recorder.texts(1)).toEqual(['whole']);
    expect(claims).toBe(2);
  }, 30_000);

  it('claims again what the group leaves to it though another claim ended its own, and reads from there', async () => {
    const topic = await test.topic(1);
    const recorder = new Recorder();
    let claims = 0;
    const claim = async () => [{ topic, partition: 0, offset: claims++ === 0 ? '0' : '1' }];
    const handler = async (messages: readonly ReceivedMessage[]) => {
      const result = await recorder.handler(messages);
      if (claims === 1 && messages.some((message) => textOf(message) === '2')) throw new ClaimLost('another has it');
      return result;
    };
    const { group } = await test.consume({ topic, handler, claim, claimPatienceMs: 500 });
    await test.publish(topic, 0, '0', '1', '2');
    await until(() => recorder.texts().includes('2'));
    await test.publish(topic, 0, '3');
    await until(async () => (await test.committedOffset(group, topic)) === 4);
    expect(claims).toBe(2);
    expect(recorder.texts().join('')).toMatch(/2123$/);
  }, 30_000);

  it('does not claim again what the group may have given away while it cannot be reached', async () => {
    const topic = await test.topic(1);
    const proxy = await test.brokerProxy();
    const group = `test-${randomUUID()}`;
    const claims: string[] = [];
    const claimedBy = (name: string) => async () => {
      claims.push(name);
      return [{ topic, partition: 0, offset: '0' }];
    };
    const begun = new Gate();
    const cutOff = async () => {
      proxy.cut();
      begun.open();
      throw new ClaimLost('another has it');
    };
    const kafka = test.connection(proxy.socketFactory);
    const former = { topic, group, kafka, handler: cutOff, claim: claimedBy('former'), claimPatienceMs: 100 };
    await test.consume(former);
    await test.publish(topic, 0, '0');
    await begun.passed;
    const recorder = new Recorder();
    await test.consume({ topic, group, handler: recorder.handler, claim: claimedBy('next') });
    await until(() => recorder.texts().includes('0'));
    expect(claims).toEqual(['former', 'next']);
    proxy.mend();
  }, 60_000);

  it('reads back to where a handler says', async () => {
    const topic = await test.topic();
    await test.publish(topic, 0, '0', '1', '2');
    const recorder = new Recorder();
    let rewound = false;
    const seenWhenMade: number[] = [];
    const onMade = () => void seenWhenMade.push(recorder.texts().length);
    const handler = async (messages: readonly ReceivedMessage[]) => {
      await recorder.handler(messages);
      const again = !rewound && messages.some((message) => textOf(message) === '2');
      rewound ||= again;
      return again ? { ...nothing, rewinds: [{ topic, partition: 0, offset: '1', onMade }] } : nothing;
    };
    const { group } = await test.consume({ topic, handler });
    await until(async () => (await test.committedOffset(group, topic)) === 3);
    expect(recorder.texts().join('')).toMatch(/^0?12?.*12$/);
    expect(recorder.texts().filter((text) => text === '0')).toHaveLength(1);
    expect(recorder.texts().filter((text) => text === '1')).toHaveLength(2);
    expect(seenWhenMade).toEqual([3]);
  }, 30_000);

  it('lives on where the broker goes in the moment in which it is asked for the coordinator', async () => {
    const topic = await test.topic();
    const proxy = await test.brokerProxy();
    const group = `test-${randomUUID()}`;
    const recorder = new Recorder();
    let hasEnded = false;
    const onFinalCrash = () => void (hasEnded = true);
    const kafka = test.connection(proxy.socketFactory);
    await test.consume({ topic, group, kafka, handler: recorder.handler, onFinalCrash });

    proxy.breakOffCoordinatorRequests();
    const { consumer: visitor } = await test.consume({ topic, group, handler: recorder.handler });
    await until(() => hasEnded || proxy.brokenOff >= 4);
    await visitor.stop();
    proxy.mend();
    await test.publish(topic, 0, 'behind');

    await until(() => hasEnded || recorder.texts().includes('behind'));
    expect(hasEnded).toBe(false);
  }, 60_000);

  it.each([
    ['the client waits too long for a lock of its own', new KafkaJSLockTimeout('Timeout while acquiring lock')],
    ['the broker has a trouble of its own', createErrorFromCode(-1)],
  ])(
    'joins again where %s while it joins',
    async (_, trouble) => {
      const topic = await test.topic();
      const recorder = new Recorder();
      let hasEnded = false;
      const onFinalCrash = () => void (hasEnded = true);
      const { joinAndSync } = ConsumerGroup.prototype;
      ConsumerGroup.prototype.joinAndSync = async () => {
        ConsumerGroup.prototype.joinAndSync = joinAndSync;
        throw trouble;
      };
      await test.consume({ topic, handler: recorder.handler, onFinalCrash });
      await test.publish(topic, 0, 'behind');

      await until(() => hasEnded || recorder.texts().includes('behind'));
      expect(hasEnded).toBe(false);
    },
    60_000,
  );
});
