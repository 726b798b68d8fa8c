import { describe, expect, it } from '@jest/globals';
import { guard } from '../evaluation/confidence-sequence.ts';
import { randomNumbers } from '../testing/random-numbers.ts';
import type { LearningRecord, ShownRecord, StartRecord } from './learning-record.ts';
import { Trainer } from './trainer.ts';

const dayMs = 24 * 3_600_000;
const begin = Date.UTC(2026, 0, 1);

interface Sold {
  readonly plan: 'week' | 'year';
  readonly periodDays: number;
  readonly trialDays?: number;
  readonly usd: number;
  /** Of those who see it; .1 unless said. */
  readonly starts?: number;
  /** The truth: shares of trials that are paid for, and of charges that another one follows. */
  readonly trialToPaid?: number;
  readonly renewal: number;
  /** From the second renewal on; as the first one unless said. */
  readonly later?: number;
}

/**
 * All records of an app of which AI sells one product and Baseline another; a tick a day.
 * @param known days before, in which Baseline's was sold to an eighth as many, and nothing was compared
 */
function recordsOf(
  ai: Sold,
  baseline: Sold,
  { days, daily = 300, seed = 1, known = 0 }: { days: number; daily?: number; seed?: number; known?: number },
) {
  const next = randomNumbers(seed);
  const records: LearningRecord[] = [];
  for (let at = begin - known * dayMs; at <= begin + days * dayMs; at += dayMs) records.push({ type: 'tick', at });
  for (let index = -known * (daily / 8); index < days * daily; index++) {
    const isCompared = index >= 0;
    const drawn = next() < 0.5 ? 'ai' : 'baseline';
    const side = isCompared ? drawn : null;
    const at = begin + Math.floor((index * dayMs) / (isCompared ? daily : daily / 8)) + 1;
    const id = `${index}`;
    const exposure: ShownRecord = {
      type: 'shown',
      id,
      at,
      paywall: side ?? 'baseline',
      values: {},
      side,
      share: 0.5,
      logValue: null,
    };
    records.push(exposure);
    const sold = side === 'ai' ? ai : baseline;
    if (next() < (sold.starts ?? 0.1)) records.push(...livesOf(sold, exposure, next));
  }
  return records.sort((one, other) => one.at - other.at);
}

/** A start and its charges within the year. */
function livesOf(sold: Sold, exposure: ShownRecord, next: () => number): LearningRecord[] {
  const { plan, periodDays, trialDays = 0, usd, trialToPaid = 1, renewal, later = renewal } = sold;
  const id = `chain of ${exposure.id}`;
  const start: StartRecord = { type: 'start', id, at: exposure.at + 1, exposure, product: plan, plan, country: 'de', periodDays, trialDays }; // prettier-ignore
  const charges: LearningRecord[] = [];
  let isPaid = next() < trialToPaid;
  for (let at = start.at + trialDays * dayMs; isPaid && at < start.at + 365 * dayMs; at += periodDays * dayMs) {
    charges.push({ type: 'money', id: `${id} ${at}`, chain: id, at, kind: 'charge', usd, nextChargeUsd: usd });
    isPaid = next() < (charges.length === 1 ? renewal : later);
  }
  return [start, ...charges];
}

/** By day: what the guard makes of all that was learned until its end. */
function verdictsOf(records: readonly LearningRecord[]): readonly ReturnType<typeof guard>[] {
  const trainer = Trainer.fresh('main');
  const verdicts: ReturnType<typeof guard>[] = [];
  for (const record of records) {
    trainer.apply(record);
    if (record.type === 'tick') verdicts.push(guard(trainer.report().strata));
  }
  return verdicts;
}

const year: Sold = { plan: 'year', periodDays: 365, usd: 25, renewal: 0.5 };

describe('the guard, where AI and Baseline sell other plans', () => {
  it('does not take what a plan usually renews for what this product does', () => {
    // A week is thought to be renewed by 85 %, which would make it worth twice the year; it is by half, and is worth half of it.
    const verdicts = verdictsOf(recordsOf({ plan: 'week', periodDays: 7, usd: 7, renewal: 0.5 }, year, { days: 30 }));
    expect(verdicts).not.toContain('better');
    expect(verdicts.at(-1)).toBe('worse');
  });

  it('does not take what trials usually become for what these do', () => {
    const trial: Sold = { plan: 'week', periodDays: 7, trialDays: 14, usd: 14, trialToPaid: 0.05, renewal: 0.85 };
    const verdicts = verdictsOf(recordsOf(trial, year, { days: 35 }));
    expect(verdicts).not.toContain('better');
    expect(verdicts.at(-1)).toBe('worse');
  });

  it('finds what is better once its renewals have come', () => {
    const verdicts = verdictsOf(recordsOf({ plan: 'week', periodDays: 7, usd: 7, renewal: 0.9 }, year, { days: 30 }));
    expect(verdicts).not.toContain('worse');
    expect(verdicts.at(-1)).toBe('better');
  });

  it('finds nothing where they are worth the same, whatever weeks are renewed', () => {
    const verdicts = [0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95].flatMap((renewal, seed) => {
      const charges = (1 - renewal ** 26) / (1 - renewal);
      const week: Sold = { plan: 'week', periodDays: 7, usd: year.usd / charges, renewal };
      return verdictsOf(recordsOf(week, year, { days: 25, daily: 200, seed }));
    });
    expect(new Set(verdicts)).toEqual(new Set(['open']));
  });
});

describe('the guard, where people leave most at the first renewal', () => {
  it('does not take weeks for a loss that bring as much as years', () => {
    const [renewal, later] = [0.443, 0.8];
    const usd = year.usd / (1 + (renewal * (1 - later ** 25)) / (1 - later));
    const week: Sold = { plan: 'week', periodDays: 7, usd, renewal, later };
    for (const seed of [1, 2, 3])
      expect(new Set(verdictsOf(recordsOf(week, year, { days: 45, daily: 600, seed })))).toEqual(new Set(['open']));
  });
});

describe('the guard, where AI and Baseline sell the same product', () => {
  const trial: Sold = { plan: 'week', periodDays: 7, trialDays: 3, usd: 7, trialToPaid: 0.6, renewal: 0.7 };

  it('does not take more trials for a gain of which fewer are paid for', () => {
    // .88 of the money, by 1.6 times the trials.
    const more = { ...trial, starts: 0.16, trialToPaid: 0.33 };
    expect(verdictsOf(recordsOf(more, trial, { days: 35, daily: 400 }))).not.toContain('better');
  });

  it('does not take for a gain what trials of the product became before AI got other people to start', () => {
    // .84 of the money, by 1.4 times the trials; for a week or more none of these is over.
    const sold = { ...trial, trialDays: 7, starts: 0.3, trialToPaid: 0.5 };
    const more = { ...sold, starts: 0.42, trialToPaid: 0.3 };
    for (const seed of [1, 2])
      expect(verdictsOf(recordsOf(more, sold, { days: 10, daily: 1_600, known: 20, seed }))).not.toContain('better');
  });

  it('takes the same for a gain once they are', () => {
    const more = { ...trial, starts: 0.16 };
    expect(verdictsOf(recordsOf(more, trial, { days: 35, daily: 400 })).at(-1)).toBe('better');
  });
});
