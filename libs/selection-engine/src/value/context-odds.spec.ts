import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { uniform } from '../uniform.ts';
import { ContextOdds, type Chances } from './context-odds.ts';

const logistic = (odds: number) => 1 / (1 + Math.exp(-odds));
/** Columns of two fields: 1 and 2 of countries, 3 and 4 of levels; -1 of a value that is not known. */
const [de, fr, low, high, unknown] = [1, 2, 3, 4, -1];
const context = (country: number, level: number) => Int32Array.of(0, country, level);
const chances = fc.array(
  fc.record({
    active: fc
      .tuple(fc.constantFrom(de, fr, unknown), fc.constantFrom(low, high, unknown))
      .map((both) => context(...both)),
    rate: fc.double({ min: 0.01, max: 0.99, noNaN: true }),
    yes: fc.nat({ max: 200 }),
    no: fc.nat({ max: 200 }),
  }),
  { maxLength: 40 },
);

/** People of two countries and two levels, whose odds of 1 these move by their sum. */
function seen(count: number): Chances[] {
  const effects: Record<number, number> = { [de]: 0.4, [fr]: -0.4, [low]: -0.2, [high]: 0.2 };
  return Array.from({ length: count }, (_, index) => {
    const [country, level] = [index % 3 === 0 ? de : fr, index % 2 === 0 ? low : high];
    const goesOn = uniform(`${index}`, 'taken') < logistic(effects[country]! + effects[level]!);
    return { active: context(country, level), rate: 0.5, yes: goesOn ? 1 : 0, no: goesOn ? 0 : 1 };
  });
}

describe('odds by context', () => {
  it('leave a rate as it is where nothing was seen, and of who has no known value', () => {
    expect(new ContextOdds([]).of(0.3, context(de, low))).toBeCloseTo(0.3, 12);
    expect(new ContextOdds(seen(100)).of(0.3, context(unknown, 9))).toBeCloseTo(0.3, 12);
  });

  it('find what each value of a field does, and add it up', () => {
    const odds = new ContextOdds(seen(60_000));
    expect(odds.of(0.5, context(de, high))).toBeCloseTo(logistic(0.6), 1.7);
    expect(odds.of(0.5, context(fr, low))).toBeCloseTo(logistic(-0.6), 1.7);
    expect(odds.of(0.9, context(de, unknown)) - 0.9).toBeLessThan(odds.of(0.5, context(de, unknown)) - 0.5);
  });

  it('are the weights at which prior times likelihood is greatest', () => {
    // One field of one value: the slope is zero there.
    const odds = new ContextOdds([{ active: Int32Array.of(0, de), rate: 0.5, yes: 30, no: 10 }]);
    const share = odds.of(0.5, Int32Array.of(0, de));
    const weight = Math.log(share / (1 - share));
    expect(30 - 40 * share - weight / 0.03).toBeCloseTo(0, 6);
    expect(share).toBeGreaterThan(0.5);
    expect(share).toBeLessThan(0.75);
  });

  it('believe a field as far as its values differ', () => {
    // Columns: 12 campaigns that do something, then 30 buckets and 30 fonts that do nothing.
    const effects = Array.from({ length: 12 }, (_, value) => 0.6 * Math.sin(5 * value));
    const of = (index: number, field: string, values: number) => Math.floor(values * uniform(`${index}`, field));
    const people = Array.from({ length: 4_000 }, (_, index) => {
      const campaign = of(index, 'campaign', 12);
      const active = Int32Array.of(0, 1 + campaign, 13 + of(index, 'bucket', 30), 43 + of(index, 'font', 30));
      const goesOn = uniform(`${index}`, 'taken') < logistic(effects[campaign]!);
      return { active, rate: 0.5, yes: goesOn ? 1 : 0, no: goesOn ? 0 : 1 };
    });
    const { weights } = new ContextOdds(people);
    const meanSquare = (numbers: readonly number[]) =>
      numbers.reduce((sum, one) => sum + one * one, 0) / numbers.length;
    expect(Math.sqrt(meanSquare([...weights.subarray(13)]))).toBeLessThan(0.06);
    const errors = effects.map((effect, value) => weights[1 + value]! - effect);
    expect(Math.sqrt(meanSquare(errors) / meanSquare(effects))).toBeLessThan(0.3);
  });

  it('hardly move by a few outcomes', () => {
    const once = { active: Int32Array.of(0, de), rate: 0.5, yes: 1, no: 0 };
    expect(new ContextOdds([once]).of(0.5, once.active)).toBeLessThan(0.51);
  });

  it('make a share of every share, whatever was seen', () => {
    fc.assert(
      fc.property(chances, fc.double({ min: 0.001, max: 0.999, noNaN: true }), (all, rate) => {
        const odds = new ContextOdds(all);
        for (const { active } of [...all, { active: context(unknown, unknown) }]) {
          const share = odds.of(rate, active);
          expect(share > 0 && share < 1).toBe(true);
        }
      }),
    );
  });
});
