import { describe, expect, it } from '@jest/globals';
import { dailyVerdicts } from '../testing/guard-verdicts.ts';
import { randomNumbers } from '../testing/random-numbers.ts';
import type { LearningRecord, ShownRecord } from './learning-record.ts';

const dayMs = 24 * 3_600_000;
const begin = Date.UTC(2026, 0, 1);
const daily = 8_000;
/** Before, in an app that is not new. */
const knownDays = 24;
/** Two weeks is when all have come of the first. */
const comparedDays = 13;

interface Sides {
  /** So many starts come later than a day after. */
  readonly late: Readonly<Record<'ai' | 'baseline', number>>;
  readonly plans: Readonly<Record<'ai' | 'baseline', string>>;
}

/** By day, of an app whose AI and Baseline bring the same. */
function verdictsOf({ late, plans }: Sides, seed: number, knownFor = knownDays) {
  const next = randomNumbers(seed);
  const end = begin + comparedDays * dayMs;
  const arms = (['ai', 'baseline'] as const).map((paywall) => ({ paywall, design: [`plan:${plans[paywall]}`] }));
  const records: LearningRecord[] = [{ type: 'catalogue', at: 0, revision: 1, horizonDays: 180, arms }];
  for (let at = begin - knownFor * dayMs; at <= end; at += dayMs / 4) records.push({ type: 'tick', at });
  for (let index = (-knownFor * daily) / 8; index < comparedDays * daily; index++) {
    const isCompared = index >= 0;
    const paywall = next() < 0.5 ? 'ai' : 'baseline';
    const at = begin + Math.floor((index * dayMs) / (isCompared ? daily : daily / 8)) + 1;
    const side = isCompared ? paywall : null;
    const exposure: ShownRecord = { type: 'shown', id: `${index}`, at, paywall, values: {}, side, share: 0.5, logValue: null }; // prettier-ignore
    records.push(exposure);
    if (next() >= 0.06) continue;
    const delayMs = next() < late[paywall] ? Math.exp(next() * Math.log(14)) * dayMs : 0;
    const chain = { id: `c${index}`, at: at + Math.floor(delayMs) };
    const sold = { product: paywall, plan: 'one-time', country: 'de', periodDays: 1, trialDays: 0 };
    records.push({ type: 'start', ...chain, exposure, ...sold });
    records.push({ type: 'money', id: `${index}`, chain: chain.id, at: chain.at, kind: 'charge', usd: 10, nextChargeUsd: null }); // prettier-ignore
  }
  return dailyVerdicts(records, begin, end);
}

describe('the guard, where one side’s starts come later', () => {
  const [others, same] = [
    { ai: 'week', baseline: 'year' },
    { ai: 'month', baseline: 'month' },
  ];

  it.each([
    ['AI', { late: { ai: 0.3, baseline: 0.1 }, plans: others }],
    ['Baseline', { late: { ai: 0.1, baseline: 0.3 }, plans: others }],
    ['AI, of one plan,', { late: { ai: 0.4, baseline: 0 }, plans: same }],
    ['Baseline, of one plan,', { late: { ai: 0, baseline: 0.4 }, plans: same }],
  ])('does not take for a difference that those of %s are still to come', (_, sides) => {
    expect(new Set(verdictsOf(sides, 1))).toEqual(new Set(['open']));
  });

  it.each([
    ['AI', { ai: 0.4, baseline: 0 }],
    ['Baseline', { ai: 0, baseline: 0.4 }],
  ])('does not take it for one either while nothing is older than two weeks, if those of %s are', (_, late) => {
    expect(new Set(verdictsOf({ late, plans: same }, 1, 0))).toEqual(new Set(['open']));
  });
});
