import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { stores } from './market.ts';
import { disturbances, quietDays, troublesOf } from './troubles.ts';

const checkpoints = [90, 180, 270, 365];
const days = Array.from({ length: 365 }, (_, day) => day);
const yearOf = (seed: string) => days.map((day) => troublesOf(seed, day, 365, checkpoints));

describe('troublesOf', () => {
  it('shuts each store on one day', () => {
    fc.assert(
      fc.property(fc.string(), (seed) => {
        const shut = yearOf(seed).flatMap((troubles) => troubles.shut ?? []);
        // Two stores can draw the same day: then one of them stays open.
        expect(new Set(shut).size).toBe(shut.length);
        expect(shut.length).toBeGreaterThanOrEqual(stores.length - 2);
      }),
      { numRuns: 30 },
    );
  });

  it('leaves the days before a comparison alone', () => {
    const year = yearOf('a seed');
    for (const checkpoint of checkpoints)
      for (let day = checkpoint - quietDays + 1; day <= checkpoint && day < year.length; day++)
        expect(year[day]).toEqual({ shut: null, disturbed: [] });
  });

  it('knows every way to disturb', () => {
    const seen = new Set(yearOf('a seed').flatMap(({ disturbed }) => disturbed.map(({ how }) => how)));
    expect(seen).toEqual(new Set(disturbances));
  });
});
