import type { LearningRecord, StartRecord } from '../trainer/learning-record.ts';
import { uniform } from '../uniform.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
export const logStart = Date.UTC(2026, 0, 1);

const arms = [
  { paywall: 'p0', design: ['plan:week', 'trial:yes', 'offer:none', 'products:1'] },
  { paywall: 'p1', design: ['plan:month', 'trial:no', 'offer:none', 'products:1'] },
  { paywall: 'p2', design: ['plan:year', 'trial:no', 'offer:none', 'products:2'] },
];
const plans = ['week', 'month', 'year'] as const;
const periods = [7, 30, 365];

/**
 * A made-up learning log in the order of time, ticks every hour: some exposures start, some starts pay, renew,
 * are refunded or end. In each country another paywall is liked best.
 */
export function learningLog({ seed = 'log', exposures = 2_000, days = 20 } = {}): readonly LearningRecord[] {
  const records: LearningRecord[] = [];
  records.push({ type: 'catalogue', at: logStart, revision: 1, horizonDays: 180, arms });
  for (let hour = 0; hour <= days * 24; hour++) records.push({ type: 'tick', at: logStart + hour * hourMs });
  const changed = arms.map((arm, row) => (row === 2 ? { ...arm, design: arms[1]?.design ?? [] } : arm));
  const later = logStart + 0.6 * days * dayMs;
  records.push({ type: 'catalogue', at: later, revision: 2, horizonDays: 180, arms: changed });
  for (let index = 0; index < exposures; index++) records.push(...story(`${seed}/${index}`, index, exposures, days));
  return records.sort((one, other) => one.at - other.at);
}

function story(id: string, index: number, exposures: number, days: number): readonly LearningRecord[] {
  const u = (purpose: string) => uniform(id, purpose);
  const at = logStart + Math.floor(((index + u('at')) / exposures) * 0.8 * days * dayMs);
  const row = Math.floor(3 * u('arm'));
  const country = Math.floor(5 * u('country') * u('country again'));
  const paywall = `p${row}`;
  const side = u('side') < 0.2 ? ('baseline' as const) : ('ai' as const);
  const exposure: StartRecord['exposure'] = {
    id,
    at: at + 1_000,
    paywall,
    values: {
      country: `c${country}`,
      os: `os ${Math.floor(3 * u('os'))}`,
      'custom.goal': `g${Math.floor(4 * u('goal'))}`,
    },
    side,
    share: 0.8,
    logValue: side === 'ai' ? -1 + u('value') : null,
  };
  const probabilities = arms.map((arm) => [arm.paywall, 1 / 3] as const);
  const records: LearningRecord[] = [
    { type: 'decision', id, at, paywall, probabilities },
    { type: 'shown', ...exposure },
  ];
  if (u('start') > (country % 3 === row ? 0.25 : 0.08)) return records;
  const startAt = exposure.at + Math.floor(u('delay') * u('slow') * u('slower') * u('slowest') * 5 * dayMs);
  const chain = `chain ${id}`;
  const [plan = 'week', periodDays = 7] = [plans[row], periods[row]];
  const trialDays = row === 0 ? 3 : 0;
  records.push({
    type: 'start',
    id: chain,
    at: startAt,
    exposure,
    product: plan,
    plan,
    country: `c${country}`,
    periodDays,
    trialDays,
  });
  const money = (kind: 'charge' | 'refund' | 'extra' | 'ended', after: number, usd: number): void => {
    const when = startAt + trialDays * dayMs + Math.floor(after * dayMs);
    records.push({ type: 'money', id: `${chain}/${kind}/${after}`, chain, at: when, kind, usd, nextChargeUsd: null });
  };
  if (u('pays') < 0.7) {
    for (let charge = 0; charge < 3 && u(`renews/${charge}`) < 0.8; charge++)
      money('charge', charge * periodDays, 5 + 20 * row);
  } else {
    money('ended', 0.5, 0);
  }
  if (u('refund') < 0.1) money('refund', 1, 5 + 20 * row);
  if (u('extra') < 0.1) money('extra', 2, 30 * u('amount'));
  return records;
}
