import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { compareSides, guardAlphas, verdictOf } from '../evaluation/confidence-sequence.ts';
import { encodeSnapshot, snapshotId } from '../snapshot/snapshot-bytes.ts';
import { learningLog, logStart } from '../testing/learning-log.ts';
import { shown, started, tick } from '../testing/learning-records.ts';
import { randomNumbers } from '../testing/random-numbers.ts';
import { uniform } from '../uniform.ts';
import { encodeCheckpoint, restoreTrainer } from './checkpoint.ts';
import type { LearningRecord } from './learning-record.ts';
import { Trainer } from './trainer.ts';

const hourMs = 3_600_000;
const learn = (records: readonly LearningRecord[], trainer = Trainer.fresh('main')) => {
  for (const record of records) trainer.apply(record);
  return trainer;
};
const idOf = (trainer: Trainer) => snapshotId(encodeSnapshot(trainer.snapshot()));
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

  it('rings none because more becomes known of how late starts come', () => {
    const dayMs = 24 * hourMs;
    const end = logStart + 3 * dayMs;
    const next = randomNumbers(2);
    const design = ['plan:month'];
    const arms = ['p0', 'p1'].map((paywall) => ({ paywall, design }));
    const records: LearningRecord[] = [{ type: 'catalogue', at: 0, revision: 1, horizonDays: 180, arms }];
    for (let at = logStart; at <= end; at += hourMs) records.push(tick(at));
    for (let at = logStart + 1; at < end; at += dayMs / 20_000) {
      const paywall = next() < 0.5 ? 'p0' : 'p1';
      const exposure = shown(`d${at}`, Math.floor(at), { paywall });
      records.push(exposure);
      if (next() >= 0.06) continue;
      const delayMs = next() < (paywall === 'p0' ? 0.4 : 0) ? dayMs * 14 ** next() : hourMs / 60;
      records.push(started(`c${at}`, exposure, exposure.at + Math.floor(delayMs)));
    }
    const inTime = records.filter(({ at }) => at <= end).sort((one, other) => one.at - other.at);
    expect(learn(inTime).report().driftAlarms).toBe(0);
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

  it('values starts as they become more, and at once where the AI’s look like a loss', () => {
    const trainer = startedTrainer();
    const { state } = trainer;
    const isWorse = () => verdictOf(compareSides(trainer.report().strata, 'starts', guardAlphas.starts)) === 'worse';
    const ticks = { valued: 0, not: 0, notThoughWorse: 0 };
    for (let hour = 0; state.guard.factor === 1; hour++) {
      for (let place = 0; place < 60; place++) {
        const side = place % 2 === 0 ? ('ai' as const) : ('baseline' as const);
        const exposure = shown(`d${hour}/${place}`, logStart + hour * hourMs, { side, values: {} });
        trainer.apply(exposure);
        // As often as Baseline's for weeks, and then never.
        if (uniform(exposure.id, 'start') >= (side === 'ai' && hour >= 400 ? 0 : 0.05)) continue;
        trainer.apply(started(`c${exposure.id}`, exposure, exposure.at));
      }
      trainer.apply(tick(logStart + (hour + 1) * hourMs));
      if ((hour + 1) % 6 > 0) continue;
      const isValued = state.valuedRecords === state.ledger.count;
      ticks[isValued ? 'valued' : isWorse() ? 'notThoughWorse' : 'not']++;
    }
    expect(state.guard.factor).toBe(0.5);
    expect(ticks.notThoughWorse).toBe(0);
    expect(ticks.not).toBeGreaterThan(10);
  });
});

/** That they are the same on every machine, trainer.spec.ts has. */
describe('the same log', () => {
  const log = learningLog();
  const whole = learn(log);

  it('gives the same bytes whatever is repeated', () => {
    const repeated = log.flatMap((record, index) => {
      const earlier = log[Math.max(0, index - Math.floor(200 * uniform(`${index}`, 'back')))];
      return uniform(`${index}`, 'repeat') < 0.2 && earlier ? [record, record, earlier] : [record];
    });
    expect(repeated.length).toBeGreaterThan(1.2 * log.length);
    const again = learn(repeated);
    expect(idOf(again)).toBe(idOf(whole));
    expect(again.report()).toEqual(whole.report());
  });

  it('gives the same bytes after crashes at any record, some of the log read twice', () => {
    const short = learningLog({ exposures: 300 });
    const expected = idOf(learn(short));
    fc.assert(
      fc.property(fc.array(fc.nat({ max: short.length }), { minLength: 1, maxLength: 4 }), (crashes) => {
        let trainer = Trainer.fresh('main');
        let at = 0;
        for (const crash of [...crashes].sort((one, other) => one - other)) {
          trainer = learn(short.slice(at, crash), trainer);
          const checkpoint = encodeCheckpoint(trainer);
          learn(short.slice(crash, crash + 50), trainer); // lost with the crash
          trainer = restoreTrainer(checkpoint);
          expect(Buffer.compare(encodeCheckpoint(trainer), checkpoint)).toBe(0);
          at = Math.max(0, crash - 20);
        }
        expect(idOf(learn(short.slice(at), trainer))).toBe(expected);
      }),
      { numRuns: 10 },
    );
  });
});
