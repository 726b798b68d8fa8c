import { describe, expect, it } from '@jest/globals';
import { randomNumbers } from '../testing/random-numbers.ts';
import { DelayShares } from './delay-shares.ts';
import { LateShares, openAtAge, type YoungStart } from './late-shares.ts';

const dayMs = 24 * 3_600_000;
const soon = { row: 0, plan: 'week' };
const slow = { row: 1, plan: 'week' };

/** Of an app that is so many days old: those that have come of 100 starts a day of each of two variants, .4 of one's late. */
function seenOf(days: number): readonly YoungStart[] {
  const next = randomNumbers(3);
  return [soon, slow].flatMap((shown) =>
    Array.from({ length: 100 * days }, (_, index) => {
      const delayMs = next() < (shown === slow ? 0.4 : 0) ? dayMs * 14 ** next() : 0;
      return { shown, ageMs: ((index + 0.5) * dayMs) / 100, isLate: delayMs > 0, delayMs };
    }).filter(({ ageMs, delayMs }) => delayMs < ageMs),
  );
}

describe('the share of starts that come later than a day after', () => {
  it('is found before any exposure is so old that all have come', () => {
    for (const days of [7, 13]) {
      const found = new LateShares(new DelayShares(), seenOf(days));
      expect(Math.abs(found.of(slow).share - 0.4)).toBeLessThan(0.1);
      expect(found.of(soon).share).toBeLessThan(0.03);
    }
  });

  it('is told the better, the older exposures are, and not at all by those of a day', () => {
    const errors = [1, 3, 7, 13].map((days) => new LateShares(new DelayShares(), seenOf(days)).of(slow));
    expect(errors[0]).toMatchObject({ share: 0.15, young: 0 });
    const widths = errors.slice(1).map(({ error }) => error);
    expect(widths).toEqual([...widths].sort((one, other) => other - one));
    expect(widths.at(-1)).toBeLessThan(0.03);
    expect(errors.at(-1)!.young).toBeGreaterThan(0.9);
  });

  it('is that of exposures of two weeks where there are no others, drawn as theirs is', () => {
    const known = new DelayShares();
    for (let start = 0; start < 500; start++) known.count(slow, start % 4 === 0 ? 2 : start % 2);
    const late = new LateShares(known, []);
    for (const shown of [slow, soon, { row: 2, plan: 'year' }])
      expect(late.of(shown).share).toBeCloseTo(1 - known.upTo(shown, 1), 6);
    expect(late.of(slow)).toMatchObject({ young: 0 });
  });

  it('leaves as much open as comes evenly in the log of time', () => {
    expect([-1, 0, dayMs, Math.sqrt(14) * dayMs, 14 * dayMs, 99 * dayMs].map(openAtAge)).toEqual([
      ...[1, 1, 1],
      expect.closeTo(0.5, 12),
      ...[0, 0],
    ]);
  });
});
