import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { received } from '../testing/messages.ts';
import { HandledOffsets } from './handled-offsets.ts';

const messagesAt = (...offsets: number[]) => offsets.map((offset) => received({ offset: String(offset), value: null }));

it('moves up to the first message that is not handled', () => {
  const offsets = new HandledOffsets();
  offsets.received(0, messagesAt(5, 6, 9));
  expect(offsets.handled(0, messagesAt(6))).toBeNull();
  expect(offsets.handled(0, messagesAt(5))).toBe('9');
  expect(offsets.handled(0, messagesAt(9))).toBe('10');
});

it('knows nothing of what it has forgotten', () => {
  const offsets = new HandledOffsets();
  offsets.received(0, messagesAt(5));
  offsets.forget();
  expect(offsets.handled(0, messagesAt(5))).toBeNull();
});

it('never passes a message that is not handled, and ends behind all of them, in any order', () => {
  const order = fc.integer({ min: 1, max: 30 }).chain((count) => {
    const all = Array.from({ length: count }, (_, index) => index);
    return fc.shuffledSubarray(all, { minLength: count, maxLength: count });
  });
  fc.assert(
    fc.property(order, (ends) => {
      const offsets = new HandledOffsets();
      offsets.received(0, messagesAt(...ends.toSorted((a, b) => a - b)));
      const done = new Set<number>();
      let committed = 0;
      const passed: number[] = [];
      for (const end of ends) {
        done.add(end);
        committed = Number(offsets.handled(0, messagesAt(end)) ?? committed);
        for (let offset = 0; offset < committed; offset++) if (!done.has(offset)) passed.push(offset);
      }
      expect(passed).toEqual([]);
      expect(committed).toBe(ends.length);
    }),
  );
});
