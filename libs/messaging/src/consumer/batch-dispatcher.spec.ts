import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { received } from '../testing/messages.ts';
import { Gate, until } from '../testing/until.ts';
import type { ReceivedMessage } from '../message.ts';
import { BatchDispatcher } from './batch-dispatcher.ts';
import { bytesOf, type Portion } from './message-dispatcher.ts';

const portionOf = (partition: number, ...texts: string[]): Portion => ({
  topic: 'topic',
  partition,
  messages: texts.map((text) => received({ partition, value: Buffer.from(text) })),
});
const textsOf = (portions: readonly Portion[]) =>
  portions.map(({ partition, messages }) => `${partition}:${messages.map(({ value }) => String(value)).join('')}`);

/** A dispatcher whose batches end when they are told to; `end` takes a batch's number and perhaps one of its partitions. */
function dispatcherWith(handOffMs = 300, isDue?: (message: ReceivedMessage) => boolean) {
  const batches: string[][] = [];
  const gates: Map<number, Gate>[] = [];
  let handOffs = 0;
  const dispatcher = new BatchDispatcher({
    begin: (portions) => {
      batches.push(textsOf(portions));
      const ends = new Map(portions.map(({ partition }) => [partition, new Gate()]));
      gates.push(ends);
      return [...ends.values()].map(({ passed }) => passed);
    },
    ...{ handOffMs, isDue },
    onHandOff: () => (handOffs += 1),
    onTaken: () => undefined,
  });
  const end = async (batch: number, partition?: number) => {
    for (const [number, gate] of gates[batch]!) if (partition === undefined || partition === number) gate.open();
    await delay(5);
  };
  return { dispatcher, batches, end, handOffs: () => handOffs };
}

describe('BatchDispatcher', () => {
  it('makes one batch of what arrives together, of all partitions', async () => {
    const { dispatcher, batches } = dispatcherWith();
    dispatcher.add(portionOf(0, 'a', 'b'));
    dispatcher.add(portionOf(3, 'c'));
    await delay(5);
    expect(batches).toEqual([['0:ab', '3:c']]);
  });

  it('gathers while a batch is in hand', async () => {
    const { dispatcher, batches, end } = dispatcherWith();
    dispatcher.add(portionOf(0, 'a'));
    await delay(5);
    dispatcher.add(portionOf(0, 'b'));
    dispatcher.add(portionOf(1, 'c'));
    await delay(5);
    dispatcher.add(portionOf(0, 'd'));
    expect(batches).toEqual([['0:a']]);
    await end(0);
    expect(batches).toEqual([['0:a'], ['0:bd', '1:c']]);
  });

  it('begins the others’ batch beside one that takes long, and holds back only its partitions', async () => {
    const { dispatcher, batches, end, handOffs } = dispatcherWith(20);
    dispatcher.add(portionOf(0, 'slow'));
    dispatcher.add(portionOf(1, 'also'));
    await delay(5);
    dispatcher.add(portionOf(0, 'behind'));
    dispatcher.add(portionOf(2, 'quick'));
    await until(() => handOffs() === 2);
    expect(batches).toEqual([['0:slow', '1:also'], ['2:quick']]);
    await end(0, 0);
    expect(batches.at(-1)).toEqual(['0:behind']);
  });

  it('forgets what waits, not what is in hand', async () => {
    const { dispatcher, batches, end } = dispatcherWith();
    dispatcher.add(portionOf(0, 'a'));
    await delay(5);
    dispatcher.add(portionOf(0, 'b'));
    dispatcher.add(portionOf(1, 'c'));
    dispatcher.forget(0);
    expect(dispatcher.waitingBytes(0)).toBe(0);
    await end(0);
    dispatcher.add(portionOf(0, 'b'));
    await end(1);
    expect(batches).toEqual([['0:a'], ['1:c'], ['0:b']]);
  });

  it('keeps a partition waiting from what is not due on, and lets others pass', async () => {
    let due = 'b';
    const { dispatcher, batches, end } = dispatcherWith(300, ({ value }) => String(value) <= due);
    const notDue = () => dispatcher.notDue().map(({ partition, value }) => `${partition}:${String(value)}`);
    dispatcher.add(portionOf(0, 'a', 'c', 'b'));
    dispatcher.add(portionOf(1, 'd'));
    dispatcher.add(portionOf(2, 'b'));
    await delay(5);
    expect([batches, notDue()]).toEqual([[['0:a', '2:b']], ['1:d']]); // of the first one something is in hand
    await end(0);
    expect([batches.length, notDue()]).toEqual([1, ['1:d', '0:c']]);
    due = 'c';
    dispatcher.lookAgain();
    await delay(5);
    expect(batches.at(-1)).toEqual(['0:cb']);
    dispatcher.forget(1);
    expect(notDue()).toEqual([]);
  });

  it('begins nothing behind a stop, and waits for what is in hand', async () => {
    const { dispatcher, batches, end } = dispatcherWith();
    dispatcher.add(portionOf(0, 'a'));
    await delay(5);
    let stopped = false;
    const stopping = dispatcher.stop().then(() => (stopped = true));
    dispatcher.add(portionOf(1, 'b'));
    await delay(5);
    expect(stopped).toBe(false);
    await end(0);
    await stopping;
    expect([batches, stopped]).toEqual([[['0:a']], true]);
  });

  it('bounds a batch by messages and by bytes, and lets one large message pass alone', async () => {
    const { dispatcher, batches, end } = dispatcherWith();
    const large = 'x'.repeat(2_000_000);
    dispatcher.add(portionOf(0, ...Array.from({ length: 1_500 }, () => 'a')));
    dispatcher.add(portionOf(1, large, large));
    await delay(5);
    for (let batch = 0; batch < 3; batch++) await end(batch);
    const sizes = batches.map((batch) => batch.map((text) => text.length - 2));
    expect(sizes).toEqual([[1_000], [2_000_000], [500, 2_000_000]]);
  });

  it('hands over every message once, a partition’s in order and never two batches of it at a time', async () => {
    const arrivals = fc.array(fc.tuple(fc.nat({ max: 4 }), fc.nat({ max: 3 })), { maxLength: 60 });
    const property = fc.asyncProperty(arrivals, fc.array(fc.nat({ max: 30 }), { minLength: 1 }), async (all, waits) => {
      const seen = new Map<number, number[]>();
      const busy = new Set<number>();
      const dispatcher = new BatchDispatcher({
        begin: (portions) =>
          portions.map(async ({ partition, messages }, index) => {
            expect(busy.has(partition)).toBe(false);
            busy.add(partition);
            await delay((waits[(index + messages.length) % waits.length] ?? 0) / 10);
            seen.set(partition, [...(seen.get(partition) ?? []), ...messages.map(({ offset }) => Number(offset))]);
            busy.delete(partition);
          }),
        handOffMs: 1,
        onHandOff: () => undefined,
        onTaken: () => undefined,
      });
      const next = new Map<number, number>();
      for (const [partition, count] of all) {
        const first = next.get(partition) ?? 0;
        next.set(partition, first + count + 1);
        const offsets = Array.from({ length: count + 1 }, (_, index) => String(first + index));
        const messages = offsets.map((offset) => received({ partition, offset }));
        dispatcher.add({ topic: 'topic', partition, messages });
        if (count === 0) await delay(0);
      }
      while ([...next].some(([partition, count]) => seen.get(partition)?.length !== count)) await delay(1);
      for (const [partition, count] of next)
        expect(seen.get(partition)).toEqual(Array.from({ length: count }, (_, index) => index));
    });
    await fc.assert(property, { numRuns: 30 });
  });

  it('counts a message’s key and value', () => {
    expect(bytesOf(received({ key: 'key', value: Buffer.alloc(50) }))).toBe(153);
    expect(bytesOf(received({ key: null, value: null }))).toBe(100);
  });
});
