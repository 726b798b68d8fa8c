import { encodeSnapshot, Trainer, type LearningRecord } from '@paywright/selection-engine';
import { sha256Of } from '../snapshot-parts.ts';

const hourMs = 3_600_000;
const exposureEveryMs = hourMs / 6;
export const learnedFrom = Date.UTC(2026, 0, 1);

/**
 * A log of exposures of the paywalls calm and bold, half of each, of which so many start at once, in every country
 * alike: one every ten minutes, and a tick an hour.
 */
export function learningLog({ exposures = 600, calm = 0.02, bold = 0.3 } = {}): readonly LearningRecord[] {
  const arms = ['calm', 'bold'].map((paywall) => ({ paywall, design: ['plan:month'] }));
  const records: LearningRecord[] = [{ type: 'catalogue', at: learnedFrom, revision: 4, horizonDays: 180, arms }];
  records.push({ type: 'tick', at: learnedFrom });
  for (let index = 0; index < exposures; index++) {
    const paywall = index % 2 === 0 ? 'calm' : 'bold';
    const at = learnedFrom + index * exposureEveryMs + 1_000;
    const values = { country: index % 4 < 2 ? 'de' : 'us' };
    const exposure = { id: `d${index}`, at, paywall, values, side: 'ai', share: 1, logValue: null } as const;
    records.push({ type: 'shown', ...exposure });
    const rate = paywall === 'calm' ? calm : bold;
    if (Math.floor(((index >> 1) + 1) * rate) === Math.floor((index >> 1) * rate)) continue;
    const bought = { product: 'monthly', plan: 'month', country: 'de', periodDays: 30, trialDays: 0 };
    records.push({ type: 'start', id: `c${index}`, at: at + 60_000, exposure, ...bought });
    const charge = { kind: 'charge', usd: 10, nextChargeUsd: null } as const;
    records.push({ type: 'money', id: `c${index}/1`, chain: `c${index}`, at: at + 60_000, ...charge });
  }
  const hours = exposures / 6 + 26;
  for (let hour = 1; hour <= hours; hour++) records.push({ type: 'tick', at: learnedFrom + hour * hourMs });
  return records.sort((one, other) => one.at - other.at);
}

/** What a model has learned from such a log. */
export function learned(options: Parameters<typeof learningLog>[0] = {}) {
  const trainer = Trainer.fresh('1/main');
  for (const record of learningLog(options)) trainer.apply(record);
  const snapshot = trainer.snapshot();
  const bytes = encodeSnapshot(snapshot);
  return { bytes, sha256: sha256Of(bytes), learnedUntil: snapshot.learnedUntil };
}
