import { describe, expect, it } from '@jest/globals';
import { randomNumbers } from '../testing/random-numbers.ts';
import type { SideSums, Stratum } from '../trainer/side-sums.ts';
import { compareSides, guard, outlookOf, verdictOf } from './confidence-sequence.ts';

const side = (change: Partial<SideSums> = {}): SideSums => {
  return { exposures: 10_000, starts: 500, usd: 15_000, usdSquares: 900_000, rateErrorsUsd: {}, ...change };
};
const stratum = (ai: Partial<SideSums> = {}, baseline: Partial<SideSums> = {}, share = 0.5): Stratum => {
  return { share, ai: side(ai), baseline: side(baseline) };
};

/** Where a stream of exposures with heavy-tailed payments was first called worse; Infinity if it never was. */
function calledWorse(seed: number, exposures: number, share: number, effect: number): number {
  const next = randomNumbers(seed);
  const sums = { ai: { ...side(), ...empty }, baseline: { ...side(), ...empty } };
  for (let index = 1; index <= exposures; index++) {
    const isAi = next() < share;
    const into = isAi ? sums.ai : sums.baseline;
    into.exposures++;
    if (next() < 0.04 * (isAi ? effect : 1)) {
      const u = next();
      const usd = u < 0.5 ? 0 : Math.min(200, 10 / (1 - u));
      into.starts++;
      into.usd += usd;
      into.usdSquares += usd * usd;
    }
    if (index % 250 === 0 && guard([{ share, ...sums }]) === 'worse') return index;
  }
  return Infinity;
}
const empty = { exposures: 0, starts: 0, usd: 0, usdSquares: 0 };

describe('the comparison of AI and Baseline', () => {
  it('is what the formula says of one stratum', () => {
    const { difference, halfWidth } = compareSides([stratum({ starts: 450 })], 'starts', 0.01) ?? {};
    expect(difference).toBeCloseTo(-0.005, 12);
    const [t, p, alpha] = [20_000, 950 / 20_000, 0.01];
    const s = Math.sqrt((p - p * p) * (2 / 10_000) * t);
    const rho = Math.sqrt((-2 * Math.log(alpha) + Math.log(-2 * Math.log(alpha) + 1)) / 20_000);
    const root = Math.sqrt(t * rho ** 2 + 1);
    const wide = s * Math.sqrt(((2 * (t * rho ** 2 + 1)) / (t * rho) ** 2) * Math.log(root / alpha));
    // The formula's deviation is per exposure, as its hw is of a mean.
    expect(halfWidth).toBeCloseTo(wide, 12);
  });

  it.each(['starts', 'usd'] as const)('takes exposures whose %s are still to come for none', (statistic) => {
    const rateErrorsUsd = { rate: 900 };
    const fewer = stratum({ exposures: 8_000, rateErrorsUsd });
    expect(compareSides([stratum({ pending: 2_000, rateErrorsUsd })], statistic, 0.04)).toEqual(compareSides([fewer], statistic, 0.04)); // prettier-ignore
    expect(compareSides([stratum({ pending: 10_000 })], statistic, 0.04)).toBeNull();
  });

  it('is not sure of how many starts are still to come: of a variant’s share apart, and alike of the same share', () => {
    const [one, other] = [{ 'share/1': 1_000 }, { 'share/2': 1_000 }];
    for (const statistic of ['starts', 'usd'] as const) {
      const widthOf = (...errors: readonly Record<string, number>[]) => {
        const [ai = {}, baseline = {}] = errors;
        return compareSides([stratum({ pendingErrors: ai }, { pendingErrors: baseline })], statistic, 0.04)!.halfWidth;
      };
      expect(widthOf(one)).toBeGreaterThan(1.2 * widthOf());
      expect(widthOf(one, other)).toBeGreaterThan(1.2 * widthOf(one));
      expect(widthOf(one, one)).toBeCloseTo(widthOf(), 12);
    }
  });

  it('waits for 40 starts on both sides', () => {
    expect(compareSides([], 'usd', 0.04)).toBeNull();
    for (const sides of [[{ starts: 39 }], [{}, { starts: 39 }], [{ exposures: 0 }], [{}, { exposures: 0 }]] as const)
      expect(compareSides([stratum(...sides)], 'usd', 0.04)).toBeNull();
    expect(compareSides([stratum({ starts: 40 }, { starts: 40 })], 'usd', 0.04)).not.toBeNull();
    expect(compareSides([stratum(), stratum({ exposures: 0 })], 'usd', 0.04)).toEqual(
      compareSides([stratum()], 'usd', 0.04),
    );
    expect(verdictOf(null)).toBe('open');
  });

  it('does not take a change of the share for an effect', () => {
    // Money fell while AI's share rose: pooled, AI would look worse by far; within each share it is equal.
    const rich = stratum({ exposures: 10_000, starts: 1_000 }, { exposures: 90_000, starts: 9_000 }, 0.1);
    const poor = stratum({ exposures: 90_000, starts: 900 }, { exposures: 10_000, starts: 100 }, 0.9);
    expect(compareSides([rich, poor], 'starts', 0.01)?.difference).toBeCloseTo(0, 12);
    expect(guard([rich, poor])).toBe('open');
  });

  it('weighs strata by their exposures', () => {
    const small = stratum({ exposures: 1_000, starts: 100 }, { exposures: 1_000, starts: 50 }, 0.5);
    const great = stratum({ exposures: 9_000, starts: 450 }, { exposures: 9_000, starts: 540 }, 0.6);
    expect(compareSides([small, great], 'starts', 0.01)?.difference).toBeCloseTo(0.1 * 0.05 - 0.9 * 0.01, 12);
    const halves = [0.5, 0.6].map((share) => stratum({ exposures: 5_000, starts: 250, usd: 7_500, usdSquares: 450_000 }, { exposures: 5_000, starts: 250, usd: 7_500, usdSquares: 450_000 }, share)); // prettier-ignore
    for (const statistic of ['starts', 'usd'] as const) {
      const whole = compareSides([stratum()], statistic, 0.04);
      expect(compareSides(halves, statistic, 0.04)?.halfWidth).toBeCloseTo(whole?.halfWidth ?? NaN, 12);
    }
  });

  it('widens USD by what a rate may be off by, as far as it moves the sides apart', () => {
    const spread = (
      ai: Record<string, number>,
      baseline: Record<string, number>,
      statistic: 'starts' | 'usd' = 'usd',
    ) =>
      (compareSides([stratum({ rateErrorsUsd: ai }, { rateErrorsUsd: baseline })], statistic, 0.04)?.halfWidth ??
        NaN) ** 2;
    const sure = spread({}, {});
    const apart = spread({ week: 3_000 }, {}) - sure;
    // An exposure brings 1.5 USD of a spread of 90 - 1.5 ** 2, and each side has 10,000.
    const variance = (90 - 1.5 ** 2) * (2 / 10_000);
    expect(apart / sure).toBeCloseTo((3_000 / 10_000) ** 2 / variance, 9);
    const ofHalf = [stratum({ rateErrorsUsd: { week: 3_000 } }), stratum()];
    const half = (compareSides(ofHalf, 'usd', 0.04)?.halfWidth ?? NaN) ** 2;
    const ofNone = (compareSides([stratum(), stratum()], 'usd', 0.04)?.halfWidth ?? NaN) ** 2;
    expect(half / ofNone - 1).toBeCloseTo((0.5 * 0.3) ** 2 / (variance / 2), 9);
    expect(spread({ week: 6_000 }, {}) - sure).toBeCloseTo(4 * apart, 12);
    expect(spread({ week: 3_000 }, { year: 3_000 }) - sure).toBeCloseTo(2 * apart, 12);
    expect(spread({ week: 9_000 }, { week: 6_000 }) - sure).toBeCloseTo(apart, 12);
    expect(spread({ week: 6_000 }, { week: 6_000 })).toBeCloseTo(sure, 12);
    expect(spread({ week: 6_000 }, {}, 'starts')).toBe(spread({}, {}, 'starts'));
  });

  it('says worse, better or open', () => {
    expect(guard([stratum({ usd: 5_000, usdSquares: 300_000 })])).toBe('worse');
    expect(guard([stratum({ usd: 40_000, usdSquares: 1_200_000 })])).toBe('better');
    expect(guard([stratum()])).toBe('open');
  });

  it('takes fewer starts for a loss where USD look like one, and more of them for nothing', () => {
    expect(guard([stratum({ starts: 300, usd: 13_000 })])).toBe('worse');
    expect(guard([stratum({ starts: 300, usd: 14_900 })])).toBe('open');
    expect(guard([stratum({ starts: 300, usd: 40_000, usdSquares: 1_200_000 })])).toBe('better');
    expect(guard([stratum({ starts: 800, usd: 17_000 })])).toBe('open');
    expect(guard([stratum({ starts: 800, usd: 5_000, usdSquares: 300_000 })])).toBe('worse');
  });

  it.each([
    [0.5, 4],
    [0.9, 4],
  ])('with AI at %d and no difference rarely alarms, however often it is looked at', (share, allowed) => {
    let alarms = 0;
    for (let seed = 1; seed <= 60; seed++) if (calledWorse(seed, 30_000, share, 1) < Infinity) alarms++;
    expect(alarms).toBeLessThanOrEqual(allowed);
  });

  it('finds the loss of half within some thousand exposures', () => {
    const found = Array.from({ length: 15 }, (_, seed) => calledWorse(seed + 1, 20_000, 0.9, 0.5)).sort(
      (a, b) => a - b,
    );
    expect(found[7]).toBeLessThan(15_000);
  });

  it('is as rarely wrong of USD where AI sells cheap and often, and Baseline dear and seldom', () => {
    let wrong = 0;
    for (let seed = 1; seed <= 40; seed++) {
      const next = randomNumbers(seed);
      const sums = { ai: { ...side(), ...empty }, baseline: { ...side(), ...empty } };
      for (let index = 1; index <= 60_000; index++) {
        const isAi = next() < 0.9;
        const into = isAi ? sums.ai : sums.baseline;
        into.exposures++;
        if (next() < (isAi ? 0.1 : 0.02)) {
          const usd = isAi ? 10 : 50;
          into.starts++;
          into.usd += usd;
          into.usdSquares += usd * usd;
        }
        if (index % 250 === 0 && verdictOf(compareSides([{ share: 0.9, ...sums }], 'usd', 0.04)) !== 'open') {
          wrong++;
          break;
        }
      }
    }
    expect(wrong).toBeLessThanOrEqual(4);
  });

  it('says how many exposures more would show a difference: then its interval leaves 0, and an error spare', () => {
    const told = outlookOf([stratum()], 0.1)!;
    expect(told.usd).toBeCloseTo(0.15, 12);
    const grown = 1 + told.exposures / 20_000;
    const more = (change: Partial<SideSums> = {}) => {
      const { exposures, starts, usd, usdSquares } = side(change);
      return { exposures: grown * exposures, starts: grown * starts, usd: grown * usd, usdSquares: grown * usdSquares };
    };
    const error = Math.sqrt((90 - 1.5 ** 2) * (2 / (grown * 10_000)));
    expect((compareSides([stratum(more(), more())], 'usd', 0.04)?.halfWidth ?? NaN) + 0.8416 * error).toBeCloseTo(0.15, 5); // prettier-ignore
  });

  it('says of no exposures more where so many would have shown it', () => {
    expect(outlookOf([stratum()], 3)).toEqual({ usd: 4.5, exposures: 0 });
  });

  it('has no outlook below 40 starts on a side, nor where Baseline brings nothing', () => {
    expect(outlookOf([], 0.1)).toBeNull();
    expect(outlookOf([stratum({ starts: 39 })], 0.1)).toBeNull();
    expect(outlookOf([stratum({}, { usd: 0, usdSquares: 0 })], 0.1)).toBeNull();
  });

  it.each([0, 0.5, -1, NaN])('refuses alpha %d', (alpha) => {
    expect(() => compareSides([stratum()], 'usd', alpha)).toThrow(RangeError);
  });
});
