import { describe, expect, it } from '@jest/globals';
import { inHashOrder } from '../value/label-starts.ts';
import { encodeSnapshot, snapshotId } from '../snapshot/snapshot-bytes.ts';
import { learningLog, logStart } from '../testing/learning-log.ts';
import { encodeCheckpoint, restoreTrainer } from './checkpoint.ts';
import type { CatalogueRecord, LearningRecord, MoneyRecord, ShownRecord, StartRecord } from './learning-record.ts';
import { rebuild } from './rebuild.ts';
import type { Trainer } from './trainer.ts';

const dayMs = 86_400_000;
const now = logStart + 18 * dayMs;
const log = learningLog().filter(({ at }) => at <= now);

const factsOf = (records: readonly LearningRecord[], catalogue: CatalogueRecord) => ({
  catalogue,
  shown: records.filter((record): record is ShownRecord => record.type === 'shown'),
  starts: records.filter((record): record is StartRecord => record.type === 'start'),
  money: records.filter((record): record is MoneyRecord => record.type === 'money'),
});
const catalogues = log.filter((record): record is CatalogueRecord => record.type === 'catalogue');
const idOf = (trainer: Trainer) => snapshotId(encodeSnapshot(trainer.snapshot()));
const rebuilt = (records: readonly LearningRecord[]) => rebuild('main', factsOf(records, catalogues.at(-1)!), now);

describe('a rebuilt model', () => {
  const trainer = rebuilt(log);

  it('is the same whatever the order and the repetitions of its facts', () => {
    const facts = log.filter((record) => 'id' in record);
    for (const seed of ['one', 'two', 'three']) {
      const shuffled = inHashOrder(facts, seed);
      expect(idOf(rebuilt([...shuffled, ...shuffled.slice(0, 500)]))).toBe(idOf(trainer));
    }
    expect(idOf(rebuilt(log.slice(0, -50)))).not.toBe(idOf(trainer));
  });

  it('predicts about as many starts as there were', () => {
    const long = learningLog({ exposures: 20_000 }).filter(({ at }) => at <= now);
    const { state } = rebuilt(long);
    const { shown, starts } = factsOf(long, catalogues[0]!);
    let predicted = 0;
    for (const record of shown) {
      const { row, design } = state.arms.armOf(record.paywall);
      const active = new Int32Array(1 + state.dictionary.fields.length);
      state.dictionary.fields.forEach((field, place) => {
        active[place + 1] = state.dictionary.find(place, record.values[field] ?? '∅');
      });
      predicted += Math.exp(state.starts.score(active, { row, design }));
    }
    expect(predicted / starts.length).toBeGreaterThan(0.8);
    expect(predicted / starts.length).toBeLessThan(1.25);
  });

  it('learns on from where its facts end', () => {
    const tail = learningLog().filter(({ at }) => at > now);
    const restored = restoreTrainer(encodeCheckpoint(rebuilt(log)));
    const goesOn = rebuilt(log);
    for (const one of [goesOn, restored]) for (const record of [...log.slice(-30), ...tail]) one.apply(record);
    expect(idOf(restored)).toBe(idOf(goesOn));
    expect(goesOn.state.exposures).toBe(2_000);
    expect(goesOn.report().waitingExposures).toBeLessThan(trainer.report().waitingExposures);
  });

  it('of no facts is a fresh one', () => {
    const empty = rebuild('main', factsOf([], catalogues[0]!), now);
    expect(empty.state.exposures).toBe(0);
    expect(() => encodeSnapshot(empty.snapshot())).not.toThrow();
  });
});
