import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { notificationsOf, readNotification, type ShownKind, type ShownVersions } from './shown-versions.ts';

const shown: fc.Arbitrary<ShownVersions> = fc.record({
  kind: fc.constantFrom<ShownKind>('profile', 'personal', 'app', 'chain'),
  versions: fc
    .array(fc.tuple(fc.oneof(fc.uuid(), fc.nat().map(String)), fc.nat()), { maxLength: 1_000, size: 'max' })
    .map((entries) => new Map(entries)),
});

describe('notifications of versions', () => {
  it('are read as they were written, and each is one that Postgres takes', () => {
    fc.assert(
      fc.property(shown, (told) => {
        const texts = notificationsOf(told);
        for (const text of texts) expect(text.length).toBeLessThanOrEqual(7_999);
        const read = texts.map(readNotification);
        expect(read.every((one) => one?.kind === told.kind)).toBe(true);
        expect(read.flatMap((one) => [...(one?.versions ?? [])])).toEqual([...told.versions]);
      }),
      { numRuns: 50 },
    );
  });

  it.each(['', 'read', 'chainx a:1'])('are not all: %j tells no versions', (text) => {
    expect(readNotification(text)).toBeNull();
  });
});
