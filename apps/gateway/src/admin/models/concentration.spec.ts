import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { concentrationOf, type PromisedTenth } from './concentration.ts';

const tenth = (exposures: number, promisedUsd: number, broughtUsd = promisedUsd): PromisedTenth => {
  return { exposures, promisedUsd, broughtUsd };
};

describe('concentrationOf', () => {
  it('is 1 - 1/n where the last of n like groups has all', () =>
    expect(concentrationOf([tenth(5, 0), tenth(5, 0), tenth(5, 0), tenth(5, 2)]).promised).toBeCloseTo(0.75, 12));

  it('is (n - 1)/3n of promises 1, 3 … 2n - 1', () =>
    expect(concentrationOf(Array.from({ length: 10 }, (_, k) => tenth(3, 2 * k + 1))).promised).toBeCloseTo(0.33, 12));

  it('is 0 where all is alike, and below where most came of the least promise', () => {
    expect(concentrationOf([tenth(4, 1, 3), tenth(6, 2, 3)]).brought).toBeCloseTo(0, 12);
    expect(concentrationOf([tenth(5, 1, 9), tenth(5, 2, 1)]).brought).toBeCloseTo(-0.4, 12);
  });

  it('is none without showings or without money', () => {
    expect(concentrationOf([])).toEqual({ promised: null, brought: null });
    expect(concentrationOf([tenth(5, 1, 0), tenth(5, 2, 0)]).brought).toBeNull();
  });

  it('does not depend on how many a showing stands for, nor on the currency', () =>
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 1, max: 99 }), fc.integer({ min: 1, max: 99 })), { minLength: 1 }),
        (groups) => {
          const tenths = groups.map(([exposures, usd]) => tenth(exposures, usd));
          const scaled = groups.map(([exposures, usd]) => tenth(exposures * 7, usd * 3));
          expect(concentrationOf(scaled).promised).toBeCloseTo(concentrationOf(tenths).promised!, 9);
        },
      ),
    ));
});
