import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { InvalidCursor, ListCursors, versionPosition } from './page.ts';

const cursors = new ListCursors('versions', versionPosition);
const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('a cursor', () => {
  it('is read back', () =>
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2_147_483_647 }), (version) =>
        expect(cursors.read(cursors.at(version))).toBe(version),
      ),
    ));

  it('of another list is refused', () =>
    expect(() => new ListCursors('revisions', versionPosition).read(cursors.at(4))).toThrow(new InvalidCursor()));

  it('that is refused is told what would be taken', () =>
    expect(new InvalidCursor().message).toBe('cursor must be a nextCursor that this list gave out.'));

  it('that was never given out is refused', () =>
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json().map(encoded)), (cursor) => {
        expect(() => cursors.read(encoded(['versions', cursor]))).toThrow(InvalidCursor);
        expect(() => cursors.read(cursor)).toThrow(InvalidCursor);
      }),
    ));

  it.each([
    ...['', '0', 'é', `${cursors.at(4)}!!`],
    ...[4, [4], ['versions'], ['versions', 0], ['versions', 2_147_483_648], ['versions', '1'], ['versions', 4, 4]].map(
      encoded,
    ),
  ])('%p is refused', (cursor) => expect(() => cursors.read(cursor)).toThrow(InvalidCursor));
});

describe('a page', () => {
  it('has a cursor if there is more', () =>
    expect(cursors.page([5, 4, 3], 2, (last) => last)).toEqual({ entries: [5, 4], nextCursor: cursors.at(4) }));

  it('is the last one if there is no more', () =>
    expect(cursors.page([5, 4], 2, (last) => last)).toEqual({ entries: [5, 4], nextCursor: null }));
});
