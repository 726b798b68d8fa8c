import { guard } from '../evaluation/confidence-sequence.ts';
import type { LearningRecord } from '../trainer/learning-record.ts';
import { Trainer } from '../trainer/trainer.ts';

const dayMs = 24 * 3_600_000;

/** What the guard says at the ticks that are whole days from `begin` on, learning from the records in the order of their times until `end`. */
export function dailyVerdicts(records: readonly LearningRecord[], begin: number, end: number) {
  const trainer = Trainer.fresh('main');
  const verdicts: ReturnType<typeof guard>[] = [];
  for (const record of records.filter(({ at }) => at <= end).sort((one, other) => one.at - other.at)) {
    trainer.apply(record);
    if (record.type === 'tick' && (record.at - begin) % dayMs === 0) verdicts.push(guard(trainer.report().strata));
  }
  return verdicts;
}
