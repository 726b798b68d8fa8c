import { describe, expect, it } from '@jest/globals';
import { logStart } from '../testing/learning-log.ts';
import { shown, started, tick } from '../testing/learning-records.ts';
import { uniform } from '../uniform.ts';
import { encodeCheckpoint, restoreTrainer } from './checkpoint.ts';
import { Trainer } from './trainer.ts';

const hourMs = 3_600_000;
const startedTrainer = () => {
  const trainer = Trainer.fresh('main');
  trainer.apply(tick(logStart));
  return trainer;
};

describe('a trainer', () => {
  it('rings once an arm starts far less often than others, and forgets most of it', () => {
    const trainer = startedTrainer();
    const hour = (index: number, rates: readonly number[]) => {
      for (let place = 0; place < 100; place++) {
        const paywall = `p${place % 2}`;
        const exposure = shown(`d${index}/${place}`, logStart + index * hourMs, { paywall });
        trainer.apply(exposure);
        if (uniform(exposure.id, 'start') >= (rates[place % 2] ?? 0)) continue;
        trainer.apply(started(`c${exposure.id}`, exposure, exposure.at));
      }
      trainer.apply(tick(logStart + (index + 1) * hourMs));
    };
    for (let index = 0; index < 200; index++) hour(index, [0.05, 0.05]);
    const before = trainer.report().driftAlarms;
    expect(before).toBeLessThan(3);
    const lam = (row: number) =>
      trainer.state.starts.weights.arms.values('lam')[row * trainer.state.dictionary.size] ?? NaN;
    const learned = [lam(0), lam(1)];
    let rang = 200;
    while (trainer.report().driftAlarms === before && rang < 260) hour(rang++, [0.005, 0.05]);
    expect(rang).toBeLessThan(255);
    expect(lam(0)).toBeLessThan(0.6 * (learned[0] ?? NaN));
    expect(lam(1)).toBeGreaterThan(0.9 * (learned[1] ?? NaN));
  });

  it('halves the AI’s share when AI starts far less often than Baseline, and gives it back on request', () => {
    const trainer = startedTrainer();
    for (let hour = 0; hour < 80 && trainer.report().strata.length < 2; hour++) {
      for (let place = 0; place < 200; place++) {
        const side = place % 2 === 0 ? ('ai' as const) : ('baseline' as const);
        const exposure = shown(`d${hour}/${place}`, logStart + hour * hourMs, { side });
        trainer.apply(exposure);
        if (uniform(exposure.id, 'start') >= (side === 'ai' ? 0.02 : 0.1)) continue;
        trainer.apply(started(`c${exposure.id}`, exposure, exposure.at));
      }
      trainer.apply(tick(logStart + (hour + 1) * hourMs));
    }
    const { guard, strata } = trainer.report();
    expect(guard.factor).toBeLessThan(1);
    expect(strata.length).toBe(guard.epochs.length);
    const restored = restoreTrainer(encodeCheckpoint(trainer));
    restored.apply({ type: 'restore', at: logStart + 80 * hourMs });
    expect(restored.report().guard.factor).toBe(1);
    restored.apply({ type: 'restore', at: logStart });
    expect(restored.report().strata).toEqual(strata);
  });
});
