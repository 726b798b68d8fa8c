import { describe, expect, it } from '@jest/globals';
import { Dictionary } from '../features/dictionary.ts';
import { FeatureEncoder } from '../features/feature-encoder.ts';
import { randomNumbers } from '../testing/random-numbers.ts';
import { labelRows } from '../value/label-starts.ts';
import { chargesWithin } from '../value/project-value.ts';
import { ConversionLedger } from './conversion-ledger.ts';

const dayMs = 86_400_000;
const from = Date.UTC(2026, 0, 1);
const [horizonDays, usd] = [180, 10];

interface Sold {
  readonly plan: string;
  readonly periodDays: number;
  /** Of the first renewal, of the second, and so on; the last one of all that follow. */
  readonly renewals: readonly number[];
}

const rateOf = ({ renewals }: Sold, nth: number) => renewals[Math.min(nth, renewals.length) - 1]!;

/** What a start brings on average. */
function truthOf(sold: Sold): number {
  let [sum, still] = [0, 1];
  for (let nth = 1; nth <= chargesWithin({ ...sold, trialDays: 0 }, horizonDays); nth++) {
    sum += still * usd;
    still *= rateOf(sold, nth);
  }
  return sum;
}

/** Mean label of an app's starts, which come evenly, over what they bring; whoever leaves says nothing. */
function promised(sold: Sold, days: number): number {
  const { plan, periodDays } = sold;
  const [ledger, next, count, now] = [new ConversionLedger('seed'), randomNumbers(days), 4_000, from + days * dayMs];
  for (let index = 0; index < count; index++) {
    const [id, at] = [`c${index}`, from + Math.floor((index * days * dayMs) / count)];
    const exposure = { id: `e${index}`, at, paywall: 'p', values: {}, side: null, share: 0, logValue: null };
    ledger.addStart({ type: 'start', id, at, exposure, product: 'a', plan, country: 'de', periodDays, trialDays: 0 }, 0); // prettier-ignore
    for (let nth = 1, due = at; due <= now; nth++, due += periodDays * dayMs) {
      ledger.addMoney({ type: 'money', id: `${id}/${nth}`, chain: id, at: due, kind: 'charge', usd, nextChargeUsd: usd }); // prettier-ignore
      if (next() >= rateOf(sold, nth)) break;
    }
  }
  const rows = ledger.rows(now, horizonDays, new FeatureEncoder(new Dictionary([]))).map(({ row }) => row);
  return labelRows(rows, horizonDays).labels.reduce((sum, label) => sum + label, 0) / count / truthOf(sold);
}

const week = { plan: 'week', periodDays: 7 };
const month = { plan: 'month', periodDays: 30.44 };

describe('labels of plans that people leave most at the first renewal', () => {
  // Published medians of the first three renewals; what follows goes on rising a little.
  it.each([
    { ...week, renewals: [0.443, 0.71, 0.792, 0.83] },
    { ...month, renewals: [0.532, 0.708, 0.774, 0.8] },
  ])('tell what a $plan is worth from its second renewals on, and nearly from its first on', (sold) => {
    for (const days of [40, 60, 120]) {
      const ratio = promised(sold, days);
      expect(ratio).toBeGreaterThan(0.88);
      expect(ratio).toBeLessThan(1.1);
    }
  });

  it.each([
    { ...week, renewals: [0.71] },
    { ...week, renewals: [0.85] },
    { ...month, renewals: [0.66] },
    { ...month, renewals: [0.775] },
    { ...month, renewals: [0.85] },
  ])('are as good where each renewal of a $plan is as likely as the others: $renewals', (sold) => {
    for (const days of [40, 60, 120]) expect(Math.abs(promised(sold, days) - 1)).toBeLessThan(0.12);
    expect(Math.abs(promised(sold, 120) - 1)).toBeLessThan(0.05);
  });
});
