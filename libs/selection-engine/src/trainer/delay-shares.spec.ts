import { describe, expect, it } from '@jest/globals';
import { logStart } from '../testing/learning-log.ts';
import { shown, started, tick } from '../testing/learning-records.ts';
import { DelayShares } from './delay-shares.ts';
import { Trainer } from './trainer.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

describe('the share of starts that has come', () => {
  it('rises with the age, through what is known of some', () => {
    const week = { row: 0, plan: 'week' };
    const known = new DelayShares({ plans: [['week', [60, 30, 10]]], variants: [] });
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
    const withinADay = [early, late, unseen].map((variant) => known.upTo(variant!, 1));
    expect(withinADay.map((share) => share.toFixed(2))).toEqual(['0.99', '0.51', '0.75']);
    const restored = new DelayShares(known.counts());
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
