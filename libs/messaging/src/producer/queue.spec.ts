import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { acknowledge, fail, flushLength, sizeOf, type Entry, type QueuedMessage } from './queue.ts';

const entryOf = (messages: number) => {
  const outcomes: string[] = [];
  const entry: Entry = {
    unacknowledged: messages,
    settled: false,
    deadline: Infinity,
    resolve: () => outcomes.push('acknowledged'),
    reject: ({ message }) => outcomes.push(message),
  };
  return { entry, outcomes };
};
const { entry } = entryOf(1);
const queued = (topic: string, bytes: number): QueuedMessage => ({
  entry,
  message: { topic, headers: {}, value: '' },
  bytes,
});
const bounds = { bytes: 100, messages: 5 };

describe('flushLength', () => {
  const queues = fc.array(fc.record({ topic: fc.constantFrom('a', 'b'), bytes: fc.integer({ min: 1, max: 150 }) }), {
    minLength: 1,
    maxLength: 40,
  });

  it('takes something, and no more of a topic than the bounds, save a large message alone', () => {
    fc.assert(
      fc.property(queues, (sizes) => {
        const queue = sizes.map(({ topic, bytes }) => queued(topic, bytes));
        const flush = queue.slice(0, flushLength(queue, bounds));
        expect(flush.length).toBeGreaterThan(0);
        for (const topic of ['a', 'b']) {
          const ofTopic = flush.filter(({ message }) => message.topic === topic);
          const bytes = ofTopic.reduce((sum, one) => sum + one.bytes, 0);
          expect(ofTopic.length <= bounds.messages).toBe(true);
          expect(bytes <= bounds.bytes || ofTopic.length === 1).toBe(true);
        }
      }),
    );
  });

  it('takes all that fits', () => {
    fc.assert(
      fc.property(queues, (sizes) => {
        const queue = sizes.map(({ topic, bytes }) => queued(topic, bytes));
        const length = flushLength(queue, bounds);
        const next = queue[length];
        if (!next) return;
        const ofTopic = queue.slice(0, length).filter(({ message }) => message.topic === next.message.topic);
        const bytes = ofTopic.reduce((sum, one) => sum + one.bytes, next.bytes);
        expect(bytes > bounds.bytes || ofTopic.length === bounds.messages).toBe(true);
      }),
    );
  });
});

describe('an entry', () => {
  it('is acknowledged when the last of its messages is', () => {
    const { entry: two, outcomes } = entryOf(2);
    const message = { ...queued('a', 1), entry: two };
    acknowledge(message);
    expect(outcomes).toEqual([]);
    acknowledge(message);
    expect(outcomes).toEqual(['acknowledged']);
  });

  it('fails once, with the first of its messages that does', () => {
    const { entry: two, outcomes } = entryOf(2);
    const message = { ...queued('a', 1), entry: two };
    fail(message, new Error('first'));
    fail(message, new Error('second'));
    acknowledge(message);
    acknowledge(message);
    expect(outcomes).toEqual(['first']);
    expect(two.settled).toBe(true);
  });
});

describe('sizeOf', () => {
  it('counts bytes of key, value and headers', () => {
    const plain = sizeOf({ topic: 't', headers: {}, value: null });
    expect(sizeOf({ topic: 't', key: 'é', headers: { a: 'bc' }, value: 'ü€' })).toBe(plain + 2 + 7 + 5);
  });
});
