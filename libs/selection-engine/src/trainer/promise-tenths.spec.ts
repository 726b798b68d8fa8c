import { describe, expect, it } from '@jest/globals';
import { promiseTenths } from './promise-tenths.ts';

const half = { alpha: Math.log(0.5), beta: 1 };

describe('promises by tenth', () => {
  it('tell what was promised as people are shown it, and what came, an exposure', () => {
    const promised = Array.from({ length: 20 }, (_, bin) => ({ logValue: bin / 16, exposures: 50, totalUsd: bin }));
    const all = promiseTenths(promised, half);
    expect(all).toHaveLength(10);
    expect(all.map(({ exposures }) => exposures)).toEqual(new Array(10).fill(100));
    expect(all[1]?.promisedUsd).toBeCloseTo((Math.exp(2 / 16) + Math.exp(3 / 16)) / 4, 12);
    expect(all[1]?.broughtUsd).toBeCloseTo(5 / 100, 12);
  });

  it('are fewer where many were promised the same', () => {
    const promised = [
      { logValue: -1, exposures: 10, totalUsd: 1 },
      { logValue: 0, exposures: 970, totalUsd: 500 },
      { logValue: 1, exposures: 20, totalUsd: 0 },
    ];
    expect(promiseTenths(promised, half).map(({ exposures }) => exposures)).toEqual([10, 970, 20]);
  });

  it('leave out showings that are so old that they count next to nothing', () => {
    const promised = [
      { logValue: -1, exposures: 3.4e-13, totalUsd: 2.4e-11 },
      { logValue: 0, exposures: 490, totalUsd: 500 },
      { logValue: 1, exposures: 510, totalUsd: 600 },
    ];
    expect(promiseTenths(promised, half).map(({ exposures }) => exposures)).toEqual([490, 510]);
  });

  it('are none of nothing', () => {
    expect(promiseTenths([], half)).toEqual([]);
    expect(promiseTenths([{ logValue: 0, exposures: 0, totalUsd: 0 }], half)).toEqual([]);
  });
});
