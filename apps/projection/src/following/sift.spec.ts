import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { sift } from './sift.ts';

const item = (stream: string, streamVersion: number) => ({
  entry: { id: `${stream}${streamVersion}`, stream, streamVersion },
});
const versionsOf = (items: readonly { entry: { stream: string; streamVersion: number } }[]) =>
  items.map(({ entry }) => `${entry.stream}${entry.streamVersion}`);

describe('sift', () => {
  it('passes what continues a stream, and begins one at 1', () => {
    const { fresh, early } = sift([item('a', 3), item('b', 1), item('a', 4)], new Map([['a', { version: 2 }]]));
    expect(versionsOf(fresh)).toEqual(['a3', 'b1', 'a4']);
    expect(early).toEqual([]);
  });

  it('drops what is stored, and what comes twice', () =>
    expect(sift([item('a', 2), item('a', 3), item('a', 3), item('a', 1)], new Map([['a', { version: 2 }]]))).toEqual({
      fresh: [item('a', 3)],
      known: [item('a', 2), item('a', 3), item('a', 1)],
      early: [],
    }));

  it('stops a stream at a gap, names what is missing, and lets other streams pass', () => {
    const { fresh, early } = sift([item('a', 1), item('a', 3), item('b', 1), item('a', 2)], new Map());
    expect(versionsOf(fresh)).toEqual(['a1', 'b1']);
    expect(early).toEqual([
      { item: item('a', 3), missing: 2 },
      { item: item('a', 2), missing: null },
    ]);
  });

  it('goes on behind a version that was discarded, and behind nothing else', () => {
    const skipped = new Map([['a', 3]]);
    const { fresh, early } = sift(
      [item('a', 2), item('a', 4), item('a', 6)],
      new Map([['a', { version: 1 }]]),
      skipped,
    );
    expect(versionsOf(fresh)).toEqual(['a2', 'a4']);
    expect(early).toEqual([{ item: item('a', 6), missing: 5 }]);
    expect(sift([item('a', 4)], new Map([['a', { version: 4 }]]), skipped)).toMatchObject({ fresh: [], early: [] });
    expect(sift([item('a', 3)], new Map([['a', { version: 1 }]]), skipped)).toMatchObject({ fresh: [], early: [] });
  });

  it('passes each version once, in order, whatever is repeated', () =>
    fc.assert(
      fc.property(fc.array(fc.nat(20), { maxLength: 40 }), (repeatedAt) => {
        const log = Array.from({ length: 20 }, (_, index) => item('a', index + 1));
        // A record is published again only behind its first time.
        const withRepeats = repeatedAt.reduce<typeof log>((records, at) => {
          const again = records[at % records.length];
          return again ? [...records.slice(0, at + 1), again, ...records.slice(at + 1)] : records;
        }, log);
        expect(sift(withRepeats, new Map())).toMatchObject({ fresh: log, early: [] });
      }),
    ));
});
