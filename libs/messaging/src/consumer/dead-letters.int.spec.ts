import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { deadLetterTopic } from '@paywright/contracts';
import { deadLettersOfFollower } from '../dead-letter.ts';
import type { OutgoingMessage, ReceivedMessage } from '../message.ts';
import { ConsumerTest, Recorder, textOf } from '../testing/consumer-test.ts';
import { until } from '../testing/until.ts';

describe('poison on a real broker', () => {
  let test: ConsumerTest;
  beforeAll(async () => {
    test = await ConsumerTest.open();
  });
  afterAll(() => test.close());

  const keyed = (topic: string, key: string, value: string): OutgoingMessage => ({ topic, key, headers: {}, value });

  /** A handler that dies of the value `poison`, whatever is beside it. */
  function dying(recorder: Recorder) {
    return async (messages: readonly ReceivedMessage[]) => {
      if (messages.some((message) => textOf(message) === 'poison')) throw new RangeError('secret-of-a-person');
      return recorder.handler(messages);
    };
  }

  it('ends up in the dead letters of its group, and leaves all other messages untouched', async () => {
    const topic = await test.topic(3);
    const group = `test-${randomUUID()}`;
    const deadLetters = await test.topic(1, {}, deadLetterTopic(group));
    const values = Array.from({ length: 60 }, (_, index) => keyed(topic, `key ${index % 7}`, String(index)));
    await test.send([...values.slice(0, 30), keyed(topic, 'key 3', 'poison'), ...values.slice(30)]);
    const recorder = new Recorder();
    await test.consume({ topic, group, handler: dying(recorder) });

    await until(() => new Set(recorder.texts()).size === 60);
    await until(async () => (await test.recordsOf(deadLetters)).length > 0);

    const [letter, ...others] = await test.recordsOf(deadLetters);
    expect(others).toEqual([]);
    expect(letter).toMatchObject({
      key: 'key 3',
      headers: {
        'dead-letter-topic': topic,
        'dead-letter-key': 'key 3',
        'dead-letter-reason': expect.stringContaining('RangeError'),
        'dead-letter-payload-length': '6',
        'dead-letter-payload-sha256': expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    });
    expect(JSON.stringify(letter?.headers)).not.toContain('secret-of-a-person');
    for (const key of values.map(({ key }) => key)) {
      const order = recorder.seen.filter((message) => message.key === key).map(textOf);
      expect([...new Set(order)]).toEqual([...new Set(order)].toSorted((a, b) => Number(a) - Number(b)));
    }
  }, 30_000);

  it('is told of in short where its topic takes no dead letter of that length, and holds nothing up', async () => {
    const topic = await test.topic();
    const group = `test-${randomUUID()}`;
    const deadLetters = await test.topic(1, { 'max.message.bytes': '4000' }, deadLetterTopic(group));
    const recorder = new Recorder();
    const handler = async (messages: readonly ReceivedMessage[]) => {
      const poison = messages.filter(({ key }) => key === 'poison');
      await recorder.handler(messages.filter((message) => !poison.includes(message)));
      return { publish: [], deadLetters: poison.map((message) => ({ message, reason: 'bad' })) };
    };
    await test.consume({ topic, group, handler, deadLetters: deadLettersOfFollower(group, () => true) });
    const headers = { ce_id: 'an id', ce_type: 'y'.repeat(5_000) };
    const long = { ...keyed(topic, 'poison', 'x'.repeat(10_000)), headers };
    await test.send([long, keyed(topic, 'poison', 'short'), keyed(topic, 'key', 'behind it')]);
    await until(async () => (await test.committedOffset(group, topic)) === 3);
    expect(recorder.texts()).toContain('behind it');
    const [inShort, whole, ...others] = await test.recordsOf(deadLetters);
    expect(inShort).toMatchObject({
      key: 'poison',
      value: Buffer.alloc(0),
      headers: {
        ...{ ce_id: 'an id', ce_type: '', 'dead-letter-topic': topic, 'dead-letter-offset': '0' },
        ...{ 'dead-letter-reason': 'bad', 'dead-letter-payload-length': '10000' },
      },
    });
    expect(String(whole?.value)).toBe('short');
    expect(others).toEqual([]);
  }, 30_000);

  it('is no message while the database is away', async () => {
    const topic = await test.topic();
    const group = `test-${randomUUID()}`;
    const deadLetters = await test.topic(1, {}, deadLetterTopic(group));
    const recorder = new Recorder();
    let failures = 0;
    const handler = async (messages: readonly ReceivedMessage[]) => {
      failures += 1;
      if (failures <= 6) throw new Error('nobody knows this one');
      return recorder.handler(messages);
    };
    await test.consume({ topic, group, handler, isDatabaseUp: async () => failures > 6 });
    await test.publish(topic, 0, 'innocent');
    await until(() => recorder.seen.length === 1);
    expect(await test.recordsOf(deadLetters)).toEqual([]);
  }, 30_000);
});
