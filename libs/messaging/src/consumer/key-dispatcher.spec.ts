import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { TopicPartition } from '../message.ts';
import { received } from '../testing/messages.ts';
import { Gate } from '../testing/until.ts';
import { KeyDispatcher } from './key-dispatcher.ts';
import { bytesOf } from './message-dispatcher.ts';

const messageOf = (key: string | null, offset: number) => received({ key, offset: String(offset), value: null });

/** A dispatcher whose handlings end when their key's gate opens. */
function dispatcherWith(most = 10) {
  const begun: string[] = [];
  const handled: TopicPartition[] = [];
  const gates = new Map<string, Gate>();
  const dispatcher = new KeyDispatcher({
    begin: async ({ messages }) => {
      const key = messages[0]?.key ?? 'none';
      begun.push(`${key}:${messages.map(({ offset }) => offset).join('')}`);
      const gate = new Gate();
      gates.set(key, gate);
      await gate.passed;
    },
    most,
    onHandled: (partition) => handled.push(partition),
  });
  const add = (...messages: (readonly [key: string | null, offset: number])[]) =>
    dispatcher.add({ topic: 'topic', partition: 0, messages: messages.map(([key, offset]) => messageOf(key, offset)) });
  const end = async (key: string) => {
    gates.get(key)?.open();
    await turn();
  };
  return { dispatcher, begun, handled, add, end };
}

describe('KeyDispatcher', () => {
  it('handles keys beside each other, and a key’s messages behind each other', async () => {
    const { begun, add, end } = dispatcherWith();
    add(['a', 0], ['b', 1]);
    add(['a', 2], ['a', 3]);
    expect(begun).toEqual(['a:0', 'b:1']);
    await end('a');
    expect(begun).toEqual(['a:0', 'b:1', 'a:23']);
  });

  it('begins no more than so many, and the next ones in their order', async () => {
    const { begun, add, end } = dispatcherWith(2);
    add(['a', 0], ['b', 1], ['c', 2], ['d', 3]);
    expect(begun).toEqual(['a:0', 'b:1']);
    await end('b');
    await end('a');
    expect(begun).toEqual(['a:0', 'b:1', 'c:2', 'd:3']);
  });

  it('counts what waits and what is in hand, and forgets only what waits', async () => {
    const { dispatcher, begun, add, end } = dispatcherWith(1);
    add(['a', 0], ['b', 1]);
    const one = bytesOf(messageOf('a', 0));
    expect(dispatcher.waitingBytes(0)).toBe(2 * one);
    dispatcher.forget();
    expect(dispatcher.waitingBytes(0)).toBe(one);
    await end('a');
    expect([dispatcher.waitingBytes(0), begun]).toEqual([0, ['a:0']]);
  });

  it('keeps partitions apart: what waits of one is forgotten alone, and a key of two is handled for each', async () => {
    const { dispatcher, begun, handled, add, end } = dispatcherWith(1);
    const one = bytesOf(messageOf('a', 0));
    add(['a', 0], ['b', 1]);
    dispatcher.add({ topic: 'topic', partition: 1, messages: [messageOf('a', 2)] });
    expect([dispatcher.waitingBytes(0), dispatcher.waitingBytes(1)]).toEqual([2 * one, one]);
    dispatcher.forget(0);
    expect([dispatcher.waitingBytes(0), dispatcher.waitingBytes(1)]).toEqual([one, one]);
    await end('a');
    expect(begun).toEqual(['a:0', 'a:2']);
    await end('a');
    expect(handled).toEqual([0, 1].map((partition) => ({ topic: 'topic', partition })));
  });

  it('handles what comes of a key after a forgetting behind what is in hand', async () => {
    const { dispatcher, begun, add, end } = dispatcherWith();
    add(['a', 0]);
    add(['a', 1]);
    dispatcher.forget();
    add(['a', 2]);
    expect(begun).toEqual(['a:0']);
    await end('a');
    expect(begun).toEqual(['a:0', 'a:2']);
  });

  it('handles what comes of a key whose turn was forgotten', async () => {
    const { dispatcher, begun, add, end } = dispatcherWith(1);
    add(['a', 0]);
    add(['b', 1], ['a', 2]);
    await end('a');
    dispatcher.forget();
    add(['a', 3]);
    await end('b');
    expect(begun).toEqual(['a:0', 'b:1', 'a:3']);
  });

  it('takes each message without a key for itself', () => {
    const { begun, add } = dispatcherWith();
    add([null, 0], [null, 1]);
    expect(begun).toEqual(['none:0', 'none:1']);
  });

  it('begins nothing behind a stop, and waits for what is in hand', async () => {
    const { dispatcher, begun, add, end } = dispatcherWith(1);
    add(['a', 0], ['b', 1]);
    let stopped = false;
    const stopping = dispatcher.stop().then(() => (stopped = true));
    await turn();
    expect(stopped).toBe(false);
    await end('a');
    await stopping;
    expect(begun).toEqual(['a:0']);
  });

  it('hands over every message once, those of a key in order', async () => {
    const arrivals = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 40 });
    const property = fc.asyncProperty(arrivals, fc.integer({ min: 1, max: 4 }), async (keys, most) => {
      const seen: number[] = [];
      const dispatcher = new KeyDispatcher({
        begin: async ({ messages }) => {
          await turn();
          seen.push(...messages.map(({ offset }) => Number(offset)));
        },
        most,
        onHandled: () => undefined,
      });
      keys.forEach((key, offset) =>
        dispatcher.add({ topic: 'topic', partition: 0, messages: [messageOf(key, offset)] }),
      );
      for (let turns = 0; turns <= 2 * keys.length; turns++) await turn();
      expect(seen.toSorted((x, y) => x - y)).toEqual(keys.map((_, offset) => offset));
      for (const key of ['a', 'b', 'c']) {
        const ofKey = seen.filter((offset) => keys[offset] === key);
        expect(ofKey).toEqual(ofKey.toSorted((x, y) => x - y));
      }
    });
    await fc.assert(property, { numRuns: 40 });
  });
});
