import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { received } from '../testing/messages.ts';
import { HandledOffsets } from './handled-offsets.ts';

const messagesAt = (...offsets: number[]) => offsets.map((offset) => received({ offset: String(offset) }));

it('moves behind what is handled without a gap', () => {
  const offsets = new HandledOffsets();
  offsets.received(0, messagesAt(5, 6, 9));
  expect(offsets.handled(0, messagesAt(6))).toBeNull();
  expect(offsets.handled(0, messagesAt(5))).toBe('7');
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
      for (const end of ends) {
        done.add(end);
        committed = Number(offsets.handled(0, messagesAt(end)) ?? committed);
        expect(Array.from({ length: committed }, (_, offset) => done.has(offset))).not.toContain(false);
      }
      expect(committed).toBe(ends.length);
    }),
  );
});
