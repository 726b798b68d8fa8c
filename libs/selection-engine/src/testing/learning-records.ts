import type { LearningRecord, ShownRecord, StartRecord } from '../trainer/learning-record.ts';
import { logStart } from './learning-log.ts';

const values = { country: 'de' };
export const shown = (id: string, at = logStart, change: Partial<ShownRecord> = {}): ShownRecord => {
  return { type: 'shown', id, at, paywall: 'p0', values, side: 'ai', share: 0.5, logValue: null, ...change };
};
export const started = (id: string, exposure: ShownRecord, at: number): StartRecord => {
  return {
    type: 'start',
    id,
    at,
    exposure,
    product: 'a',
    plan: 'week',
    country: 'de',
    periodDays: 7,
    trialDays: 0,
  };
};
export const tick = (at: number): LearningRecord => ({ type: 'tick', at });
