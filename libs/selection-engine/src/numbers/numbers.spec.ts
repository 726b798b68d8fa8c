import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { exp } from './exp.ts';
import { compareHashes, hash64 } from './hash64.ts';
import { floorLog2, log } from './log.ts';
import { normalCdf } from './normal-cdf.ts';

const relativeError = (value: number, truth: number) =>
  value === truth ? 0 : Math.abs(value - truth) / Math.abs(truth);
const finite = fc.double({ noNaN: true, noDefaultInfinity: true });

describe('exp', () => {
  it('is within 2 units of the last place of the engine’s', () => {
    fc.assert(
      fc.property(fc.double({ min: -700, max: 709, noNaN: true }), (x) => {
        expect(relativeError(exp(x), Math.exp(x))).toBeLessThan(5e-16);
      }),
      { numRuns: 2_000 },
    );
  });

  it('is exact where it can be, and saturates', () => {
    expect([0, -0, 710, 720, 745, Infinity, -746, -Infinity, NaN].map(exp)).toEqual([
      1,
      1,
      Infinity,
      Infinity,
      Infinity,
      Infinity,
      0,
      0,
      NaN,
    ]);
    expect(exp(709.7)).toBeCloseTo(1.654984e308, -303);
    expect(exp(-745)).toBe(2 ** -1074);
    expect(relativeError(exp(1), Math.E)).toBeLessThan(3e-16);
  });

  it('stays what it was, to the bit', () => {
    expect([-3.5, 0.1, 1, 10.25, -20].map(exp)).toEqual([
      0.0301973834223185, 1.1051709180756477, 2.7182818284590455, 28282.54192033498, 2.061153622438558e-9,
    ]);
  });
});

describe('log', () => {
  it('is within 2 units of the last place of the engine’s', () => {
    fc.assert(
      fc.property(fc.double({ min: 5e-324, max: 1.7e308, noNaN: true }), (x) => {
        const error = Math.abs(log(x) - Math.log(x));
        expect(error).toBeLessThanOrEqual(5e-16 * Math.max(Math.abs(Math.log(x)), Math.abs(x - 1) < 0.5 ? 0 : 1e-3));
      }),
      { numRuns: 2_000 },
    );
    expect([0, 1, Infinity, -1, NaN].map(log)).toEqual([-Infinity, 0, Infinity, NaN, NaN]);
  });

  it('undoes exp', () => {
    fc.assert(
      fc.property(fc.double({ min: -700, max: 700, noNaN: true }), (x) => {
        expect(Math.abs(log(exp(x)) - x)).toBeLessThan(1e-12);
      }),
    );
  });

  it('tells the power of two below a number exactly', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1074, max: 1023 }), fc.double({ min: 1, max: 1.999, noNaN: true }), (k, m) => {
        fc.pre(k >= -1022 || m === 1);
        expect(floorLog2(m * 2 ** k)).toBe(k);
      }),
    );
    expect([1, 1023, 1024, 2 ** -1074].map(floorLog2)).toEqual([0, 9, 10, -1074]);
  });
});

describe('normalCdf', () => {
  // Abramowitz and Stegun, Handbook of Mathematical Functions, table 26.1; the later ones by its series in 60 digits.
  const table = [
    [0, 0.5],
    [0.1, 0.539827837277029],
    [0.5, 0.6914624612740131],
    [1, 0.8413447460685429],
    [1.5, 0.9331927987311419],
    [1.959963984540054, 0.975],
    [2, 0.9772498680518208],
    [2.5, 0.9937903346742238],
    [3, 0.9986501019683699],
    [3.7190164854556804, 0.9999],
    [4, 0.9999683287581669],
    [5, 0.9999997133484281],
    [6, 0.9999999990134123],
  ] as const;

  it.each(table)('of %d is %d', (x, p) => {
    expect(Math.abs(normalCdf(x) - p)).toBeLessThan(1e-9);
    expect(Math.abs(normalCdf(-x) - (1 - p))).toBeLessThan(1e-9);
  });

  it('agrees with an integration of the density', () => {
    const step = 1 / 4096;
    const density = (x: number) => Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI);
    let p = 0;
    let worst = 0;
    for (let x = -8; x < 8; x += step) {
      p += (step / 6) * (density(x) + 4 * density(x + step / 2) + density(x + step));
      worst = Math.max(worst, Math.abs(normalCdf(x + step) - p));
    }
    expect(worst).toBeLessThan(1e-9);
  });

  it('never falls', () => {
    let falls = 0;
    let before = 0;
    for (let x = -8.5; x < 8.5; x += 1e-4) {
      const p = normalCdf(x);
      if (p < before) falls++;
      before = p;
    }
    expect(falls).toBe(0);
  });

  it('saturates', () => {
    expect([-Infinity, -9, -8, 8, 9, Infinity, NaN].map(normalCdf)).toEqual([0, 0, 0, 1, 1, 1, NaN]);
  });
});

describe('hash64', () => {
  it('stays what it was', () => {
    expect(hash64('')).toEqual({ high: 3954623016, low: 1202160226 });
    expect(hash64('country\0de')).toEqual({ high: 3655803366, low: 2352840473 });
  });

  it('changes about half its bits with one bit of the text', () => {
    const ones = (word: number) => word.toString(2).replaceAll('0', '').length;
    const flips = Array.from({ length: 2_000 }, (_, index) => {
      const one = hash64(`key ${index}`);
      const other = hash64(`kez ${index}`);
      return [ones((one.high ^ other.high) >>> 0), ones((one.low ^ other.low) >>> 0)];
    });
    const mean = (lane: number) => flips.reduce((sum, flip) => sum + (flip[lane] ?? 0), 0) / flips.length;
    expect(Math.abs(mean(0) - 16)).toBeLessThan(0.3);
    expect(Math.abs(mean(1) - 16)).toBeLessThan(0.3);
  });

  it('orders as 64-bit numbers', () => {
    const word = fc.integer({ min: 0, max: 2 ** 32 - 1 });
    const hash = fc.record({ high: word, low: word });
    fc.assert(
      fc.property(hash, hash, (one, other) => {
        const asBigInt = ({ high, low }: typeof one) => (BigInt(high) << 32n) + BigInt(low);
        const difference = asBigInt(one) - asBigInt(other);
        expect(Math.sign(compareHashes(one, other))).toBe(difference > 0n ? 1 : difference < 0n ? -1 : 0);
      }),
    );
  });
});

it('never answers NaN for a number', () => {
  fc.assert(
    fc.property(finite, (x) => {
      expect([exp(x), normalCdf(x), log(Math.abs(x))].some(Number.isNaN)).toBe(false);
    }),
  );
});
