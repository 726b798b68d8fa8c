import { describe, expect, it } from '@jest/globals';
import { logStart } from '../testing/learning-log.ts';
import { shown, started, tick } from '../testing/learning-records.ts';
import { randomNumbers } from '../testing/random-numbers.ts';
import { DelayShares, openAtAge, type YoungStart } from './delay-shares.ts';
import { Trainer } from './trainer.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

describe('the share of starts that has come', () => {
  it('rises with the age, through what is known of some', () => {
    const week = { row: 0, plan: 'week' };
    const known = new DelayShares();
    for (const [bin, starts] of [60, 30, 10].entries())
      for (let start = 0; start < starts; start++) known.count(week, bin);
    known.learn([], () => 'week');
    const byAge = known.byAge(week);
    expect([hourMs, dayMs].map(byAge)).toEqual([0, 1].map((bin) => known.upTo(week, bin)));
    const ages = [-1, 0, 0.5 * hourMs, hourMs, 5 * hourMs, dayMs, 5 * dayMs, 14 * dayMs, 99 * dayMs];
    const shares = ages.map(byAge);
    expect(shares).toEqual([...shares].sort((one, other) => one - other));
    expect([shares[0], shares[1], shares.at(-2), shares.at(-1)]).toEqual([0, 0, 1, 1]);
    expect(byAge(Math.sqrt(24) * hourMs)).toBeCloseTo((byAge(hourMs) + byAge(dayMs)) / 2, 12);
  });

  it('is the variant’s own, drawn to that of its plan, and restored the same', () => {
    const known = new DelayShares();
    const [early, late, unseen] = [0, 1, 2].map((row) => ({ row, plan: 'month' }));
    for (let start = 0; start < 500; start++) {
      known.count(early!, 0);
      known.count(late!, start % 2 === 0 ? 0 : 2);
    }
    known.learn([], () => 'month');
    const withinADay = [early, late, unseen].map((variant) => known.upTo(variant!, 1));
    expect(withinADay.map((share) => share.toFixed(2))).toEqual(['0.99', '0.51', '0.75']);
    const restored = new DelayShares(known.state());
    expect([early, late, unseen].map((variant) => restored.upTo(variant!, 1))).toEqual(withinADay);
  });

  it.each([2, 7, 13])('makes no rate of exposures of %d days too high', (days) => {
    const trainer = Trainer.fresh('main');
    trainer.apply(tick(logStart));
    const exposures = Array.from({ length: 4_000 }, (_, index) => shown(`d${index}`));
    for (const exposure of exposures) trainer.apply(exposure);
    // One of ten starts: of those 70 % at once, and 15 % each evenly in the log of the time to a day, and to two weeks.
    exposures.slice(0, 400).forEach((exposure, index) => {
      const late = (share: number, from: number, times: number) => from * times ** ((index / 400 - share) / 0.15);
      const delay = index < 280 ? 0.1 * hourMs : index < 340 ? late(0.7, hourMs, 24) : late(0.85, dayMs, 14);
      if (delay < days * dayMs) trainer.apply(started(`c${index}`, exposure, logStart + Math.floor(delay)));
    });
    trainer.apply(tick(logStart + days * dayMs));
    const { state } = trainer;
    const active = Int32Array.from({ length: 1 + state.dictionary.fields.length }, (_, field) =>
      field === 0 ? 0 : -1,
    );
    const rate = Math.exp(state.starts.score(active, trainer.armOf('p0')));
    expect(rate / 0.1).toBeGreaterThan(0.97);
    expect(rate / 0.1).toBeLessThan(1.03);
  });
});

const soon = { row: 0, plan: 'week' };
const slow = { row: 1, plan: 'week' };

/** Of an app that is so many days old: those that have come of 100 starts a day of each of two variants, .4 of one's late. */
function seenOf(days: number): readonly YoungStart[] {
  const next = randomNumbers(3);
  return [soon, slow].flatMap((shown) =>
    Array.from({ length: 100 * days }, (_, index) => {
      const delayMs = next() < (shown === slow ? 0.4 : 0) ? dayMs * 14 ** next() : 0;
      return { shown, ageMs: ((index + 0.5) * dayMs) / 100, bin: delayMs > 0 ? 2 : 0, delayMs };
    }).filter(({ ageMs, delayMs }) => delayMs < ageMs),
  );
}

function learnedFrom(young: readonly YoungStart[]): DelayShares {
  const delays = new DelayShares();
  delays.learn(young, () => 'week');
  return delays;
}

describe('the share of starts that come later than a day after', () => {
  it('is found before any exposure is so old that all have come', () => {
    for (const days of [7, 13]) {
      const found = learnedFrom(seenOf(days));
      expect(Math.abs(found.late(slow).share - 0.4)).toBeLessThan(0.1);
      expect(found.late(soon).share).toBeLessThan(0.03);
    }
  });

  it('is told the better, the older exposures are, and not at all by those of a day', () => {
    const errors = [1, 3, 7, 13].map((days) => learnedFrom(seenOf(days)).late(slow));
    expect(errors[0]).toMatchObject({ share: 0.15, young: 0 });
    const widths = errors.slice(1).map(({ error }) => error);
    expect(widths).toEqual([...widths].sort((one, other) => other - one));
    expect(widths.at(-1)).toBeLessThan(0.03);
    expect(errors.at(-1)!.young).toBeGreaterThan(0.9);
  });

  it('is that of exposures of two weeks where there are no others, drawn as theirs is', () => {
    const known = new DelayShares();
    for (let start = 0; start < 500; start++) known.count(slow, start % 4 === 0 ? 2 : start % 2);
    known.learn([], () => 'week');
    for (const shown of [slow, soon, { row: 2, plan: 'year' }])
      expect(known.late(shown).share).toBeCloseTo(1 - known.upTo(shown, 1), 12);
    const [ofModel, ofPlan] = [(125 + 100 * 0.15) / 600, (125 + (20 * (125 + 100 * 0.15)) / 600) / 520];
    expect(known.late({ row: 2, plan: 'year' }).share).toBeCloseTo(ofModel, 12);
    expect(known.late(slow).share).toBeCloseTo((125 + 20 * ofPlan) / 520, 12);
    expect(known.late(slow)).toMatchObject({ young: 0 });
  });

  it('leaves as much open as comes evenly in the log of time', () => {
    expect([-1, 0, dayMs, Math.sqrt(14) * dayMs, 14 * dayMs, 99 * dayMs].map(openAtAge)).toEqual([
      ...[1, 1, 1],
      expect.closeTo(0.5, 12),
      ...[0, 0],
    ]);
  });
});
