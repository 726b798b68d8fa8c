import { describe, expect, it } from '@jest/globals';
import { dailyVerdicts } from '../testing/guard-verdicts.ts';
import { randomNumbers } from '../testing/random-numbers.ts';
import type { LearningRecord, ShownRecord } from './learning-record.ts';

const dayMs = 24 * 3_600_000;
const begin = Date.UTC(2026, 0, 1);
const daily = 4_000;
const knownDays = 40;
const comparedDays = 20;

interface Sold {
  readonly product: string;
  readonly starts: number;
  /** So many are given back, between 2 and 14 days after. */
  readonly refunded: number;
}

/** By day, of lifetimes; what was sold before, to an eighth as many, was compared with nothing. */
function verdictsOf(sides: Readonly<Record<'ai' | 'baseline', Sold>>, { knownOf }: { knownOf: number }) {
  const next = randomNumbers(2);
  const end = begin + comparedDays * dayMs;
  const records: LearningRecord[] = [];
  for (let at = begin - knownDays * dayMs; at <= end; at += dayMs / 2) records.push({ type: 'tick', at });
  for (let index = (-knownDays * daily) / 8; index < comparedDays * daily; index++) {
    const isCompared = index >= 0;
    const paywall = next() < (isCompared ? 0.5 : knownOf) ? 'ai' : 'baseline';
    const at = begin + Math.floor((index * dayMs) / (isCompared ? daily : daily / 8)) + 1;
    const side = isCompared ? paywall : null;
    const exposure: ShownRecord = { type: 'shown', id: `${index}`, at, paywall, values: {}, side, share: 0.5, logValue: null }; // prettier-ignore
    records.push(exposure);
    const { product, starts, refunded } = sides[paywall];
    if (next() >= starts) continue;
    const chain = `c${index}`;
    const money = { type: 'money', chain, usd: 10, nextChargeUsd: null } as const;
    records.push({ type: 'start', id: chain, at, exposure, product, plan: 'one-time', country: 'de', periodDays: 1, trialDays: 0 }); // prettier-ignore
    records.push({ ...money, id: `${index}`, at, kind: 'charge' });
    if (next() < refunded)
      records.push({ ...money, id: `r${index}`, at: at + (2 + 12 * next()) * dayMs, kind: 'refund' });
  }
  return new Set(dailyVerdicts(records, begin, end));
}

describe('the guard, where more of what AI sells is given back', () => {
  const baseline: Sold = { product: 'gold', starts: 0.06, refunded: 0.03 };

  // 1.25 times the starts, of which .75 are kept: .97 of the money.
  it.each([
    ['a product that is known for it', 'silver', 0.5],
    ['the same product, to other people', 'gold', 0],
  ])('does not take for a gain what is not given back yet: %s', (_, product, knownOf) => {
    expect(verdictsOf({ ai: { product, starts: 0.075, refunded: 0.25 }, baseline }, { knownOf })).toEqual(new Set(['open'])); // prettier-ignore
  });

  it('takes it for one where as little is given back', () => {
    const better = { product: 'silver', starts: 0.075, refunded: 0.03 };
    expect(verdictsOf({ ai: better, baseline }, { knownOf: 0.5 })).toContain('better');
  });
});
