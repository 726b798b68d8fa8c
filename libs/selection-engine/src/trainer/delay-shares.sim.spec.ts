import { describe, expect, it } from '@jest/globals';
import { logStart } from '../testing/learning-log.ts';
import { shown, started, tick } from '../testing/learning-records.ts';
import { randomNumbers } from '../testing/random-numbers.ts';
import type { LearningRecord } from './learning-record.ts';
import { Trainer } from './trainer.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

describe('the share of starts that has come', () => {
  it.each([4, 7, 13])('makes no variant whose starts come late the worse one while an app is %d days old', (days) => {
    const trainer = Trainer.fresh('main');
    const arms = ['p0', 'p1'].map((paywall) => ({ paywall, design: ['plan:month'] }));
    trainer.apply({ type: 'catalogue', at: logStart, revision: 1, horizonDays: 180, arms });
    const next = randomNumbers(7);
    const records: LearningRecord[] = [];
    for (let index = 0; index < 2_000 * days; index++) {
      const paywall = index % 2 === 0 ? 'p0' : 'p1';
      const exposure = shown(`d${index}`, logStart + Math.floor((index * dayMs) / 2_000) + 1, { paywall });
      records.push(exposure);
      if (next() >= 0.1) continue;
      const delay = next() < (paywall === 'p1' ? 0.4 : 0) ? dayMs * 14 ** next() : 0.1 * hourMs;
      records.push(started(`c${index}`, exposure, exposure.at + Math.floor(delay)));
    }
    for (let hour = 0; hour <= 24 * days; hour++) records.push(tick(logStart + hour * hourMs));
    const end = logStart + days * dayMs;
    for (const record of records.filter(({ at }) => at <= end).sort((one, other) => one.at - other.at))
      trainer.apply(record);
    const { state } = trainer;
    const active = Int32Array.from({ length: 1 + state.dictionary.fields.length }, (_, field) =>
      field === 0 ? 0 : -1,
    );
    const [soon, late] = ['p0', 'p1'].map((paywall) => Math.exp(state.starts.score(active, trainer.armOf(paywall))));
    expect(late! / soon!).toBeGreaterThan(0.9);
    expect(late! / soon!).toBeLessThan(1.15);
  });
});
