import { describe, expect, it } from '@jest/globals';
import { inHashOrder } from '../value/label-starts.ts';
import { encodeSnapshot, snapshotId } from '../snapshot/snapshot-bytes.ts';
import { learningLog, logStart } from '../testing/learning-log.ts';
import { encodeCheckpoint, restoreTrainer } from './checkpoint.ts';
import type { CatalogueRecord, LearningRecord, MoneyRecord, ShownRecord, StartRecord } from './learning-record.ts';
import { carriedFrom } from './rebuild-facts.ts';
import { rebuild } from './rebuild-in-memory.ts';
import { Trainer } from './trainer.ts';
import { weightOf } from './waiting-exposure.ts';

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
    const long = learningLog({ exposures: 6_000 }).filter(({ at }) => at <= now);
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

  it('lets an arm’s facts from before its drift alarm weigh .1', () => {
    const lam = (driftAlarms: readonly { paywall: string; at: number }[]) => {
      const { state } = rebuild('main', { ...factsOf(log, catalogues[0]!), driftAlarms }, now);
      const values = state.starts.weights.arms.values('lam');
      return [0, 1].map((row) => values[row * state.dictionary.size]!);
    };
    const paywallOf = trainer.state.arms.state().arms.map(({ paywall }) => paywall);
    const [plain, early, late] = [0, logStart, now].map((at) => lam([{ paywall: paywallOf[0]!, at }]));
    expect(lam([])).toEqual(plain);
    expect(early).toEqual(plain);
    expect(late![0]! / plain![0]!).toBeGreaterThan(0.08);
    expect(late![0]! / plain![0]!).toBeLessThan(0.15);
    expect(late![1]! / plain![1]!).toBeGreaterThan(0.9);
  });

  it('knows of products that a paywall sold before, and of paywalls that are gone, what the live one does', () => {
    const archived: CatalogueRecord = { ...catalogues.at(-1)!, revision: 3, arms: catalogues.at(-1)!.arms.slice(1) };
    const live = Trainer.fresh('main');
    for (const record of [...log, archived]) live.apply(record);
    const made = rebuild('main', { ...factsOf(log, archived), ...carriedFrom(live.state) }, now);
    const [learned, remade] = [knownOf(live), knownOf(made)];
    expect(remade.map(({ paywall, tokens, starts }) => ({ paywall, tokens, starts }))).toEqual(
      learned.map(({ paywall, tokens, starts }) => ({ paywall, tokens, starts })),
    );
    expect(learned.map(({ paywall }) => paywall)).toEqual(['p0', 'p1', 'p2', 'p2']);
    for (const [row, { exposures }] of learned.entries()) {
      expect(Math.abs(remade[row]!.exposures - exposures)).toBeLessThanOrEqual(0.1 * exposures);
    }
    // From checkpoint to checkpoint, night after night.
    const delayedOf = ({ state }: Trainer) => {
      const { plans, variants } = state.delays.state();
      return [plans.map(([plan]) => plan), variants.map(([row]) => row)];
    };
    expect(delayedOf(made)).toEqual(delayedOf(live));
    const again = rebuild('main', { ...factsOf(log, archived), ...carriedFrom(restoreTrainer(encodeCheckpoint(made)).state) }, now); // prettier-ignore
    expect(idOf(again)).toBe(idOf(made));
  });

  it('forgets designs of before its facts', () => {
    const live = Trainer.fresh('main');
    for (const record of log) live.apply(record);
    const young = log.filter((record) => record.type === 'shown' && record.at > logStart + 13 * dayMs);
    const made = rebuild('main', { ...factsOf(young, catalogues.at(-1)!), ...carriedFrom(live.state) }, now);
    expect(knownOf(made).map(({ paywall }) => paywall)).toEqual(['p0', 'p1', 'p2']);
  });

  it('keeps the guard and the alarms that it was given', () => {
    const guard = { factor: 0.5, epochs: [0, logStart + 8 * dayMs], triedSince: 0, exposures: 300 } as const;
    const driftAlarms = [{ paywall: 'p1', at: logStart + 3 * dayMs }];
    const facts = { ...factsOf(log, catalogues[0]!), guard, driftAlarms };
    const report = restoreTrainer(encodeCheckpoint(rebuild('main', facts, now))).report();
    expect(report).toMatchObject({ guard, lastDriftAlarms: driftAlarms, driftAlarms: 1 });
    expect(report.strata.map(({ since }) => since)).toEqual(guard.epochs);
  });

  it('of no facts is a fresh one', () => {
    const empty = rebuild('main', factsOf([], catalogues[0]!), now);
    expect(empty.state.exposures).toBe(0);
    expect(() => encodeSnapshot(empty.snapshot())).not.toThrow();
  });
});

/** What is known of every row: its exposures as they count, and the starts that were credited to it. */
function knownOf({ state }: Trainer) {
  const { tokens, arms } = state.arms.state();
  const starts = state.ledger.records().starts;
  const known = arms.map(({ paywall, design }, row) => {
    const sizes = Array.from(state.history.sizes.subarray(0, state.history.count));
    const kept = sizes.reduce((sum, size, at) => sum + (state.history.arms[at] === row ? size : 0), 0);
    const waits = [...state.waiting].reduce((sum, one) => sum + (one.arm === row ? weightOf(one) * one.given : 0), 0);
    const ofRow = starts.filter(({ arm }) => arm === row).length;
    return { paywall, tokens: design?.map((token) => tokens[token]), exposures: kept + waits, starts: ofRow };
  });
  return known.sort((one, other) => (one.paywall < other.paywall ? -1 : one.paywall > other.paywall ? 1 : 0));
}
