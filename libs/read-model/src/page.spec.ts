import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { decodeCursor, encodeCursor, InvalidCursor, toPage, versionPosition } from './page.ts';

describe('a cursor', () => {
  it('is read back', () =>
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2_147_483_647 }), (version) =>
        expect(decodeCursor(encodeCursor(version), versionPosition)).toBe(version),
      ),
    ));

  it('that was never given out is refused', () =>
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json().map(encodeCursor)), (cursor) => {
        expect(() => decodeCursor(encodeCursor([cursor]), versionPosition)).toThrow(InvalidCursor);
      }),
    ));

  it.each(['', '0', `${encodeCursor(4)}!!`, encodeCursor(0), encodeCursor(2_147_483_648), encodeCursor('1'), 'é'])(
    '%p is refused',
    (cursor) => expect(() => decodeCursor(cursor, versionPosition)).toThrow(InvalidCursor),
  );
});

describe('a page', () => {
  it('has a cursor if there is more', () =>
    expect(toPage([5, 4, 3], 2, (last) => last)).toEqual({ entries: [5, 4], nextCursor: encodeCursor(4) }));

  it('is the last one if there is no more', () =>
    expect(toPage([5, 4], 2, (last) => last)).toEqual({ entries: [5, 4], nextCursor: null }));
});
