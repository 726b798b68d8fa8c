import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { drawYear, type YearOptions } from './draw-year.ts';
import { stores } from './market.ts';
import { isSoundDay } from './setting.ts';
import { stories } from './stories.ts';
import { dayMs } from '../model/instant.ts';

const startsAt = Date.parse('2026-11-21T00:00:00Z');
const year: YearOptions = { seed: 'a seed', customers: 600, days: 365, startsAt };
const years = fc.record({
  seed: fc.string(),
  customers: fc.integer({ min: 1, max: 40 }),
  days: fc.integer({ min: 30, max: 730 }),
  startsAt: fc.integer({ min: 0, max: 20_000 }).map((days) => days * dayMs),
});

describe('drawYear', () => {
  it('draws the same year of the same seed, and another of another', () => {
    fc.assert(
      fc.property(years, (options) => expect(drawYear(options)).toEqual(drawYear(options))),
      { numRuns: 20 },
    );
    expect(drawYear({ ...year, seed: 'another' })).not.toEqual(drawYear(year));
  });

  it('keeps its customers when there are more', () => {
    expect(drawYear(year).slice(0, 50)).toEqual(drawYear({ ...year, customers: 50 }));
  });

  it('keeps all steps in the year and in their order, the purchase first', () => {
    fc.assert(
      fc.property(years, (options) => {
        for (const { steps } of drawYear(options)) {
          const days = steps.map(({ day }) => day);
          expect(days).toEqual(days.toSorted((one, other) => one - other));
          expect(days.every((day) => day >= 0 && day < options.days)).toBe(true);
          if (steps[0]) expect(['subscribe', 'buy']).toContain(steps[0].deed.do);
        }
      }),
      { numRuns: 50 },
    );
  });

  it('reports once what the store does not name, and never what it names', () => {
    for (const { steps, isNamedByStore } of drawYear(year)) {
      const done = (what: string): number => steps.filter(({ deed }) => deed.do === what).length;
      const first = steps.filter(({ deed }) => deed.do === 'report' && deed.profile === 'first').length;
      expect(first).toBeLessThanOrEqual(isNamedByStore ? 0 : done('subscribe') + done('buy'));
    }
  });

  it('begins paid periods on days that every month has', () => {
    for (const { steps } of drawYear(year))
      for (const { day, deed } of steps)
        if (deed.do === 'subscribe') expect(isSoundDay(startsAt, day + (deed.withTrial ? 7 : 0))).toBe(true);
  });

  it('tells every story of every store, in each currency, to testers as well', () => {
    const customers = drawYear({ ...year, customers: 6_000 });
    const told = new Set(customers.map(({ store, story }) => `${story} at ${store}`));
    expect(told.size).toBe(stories.reduce((count, story) => count + story.stores.length, 0));
    for (const store of stores)
      expect(customers.filter((one) => one.store === store && one.isSandbox).length).toBeGreaterThan(0);
    expect(new Set(customers.map(({ currency }) => currency)).size).toBe(5);
  });
});
