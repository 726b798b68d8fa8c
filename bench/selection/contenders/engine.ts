import {
  calibrated,
  decodeSnapshot,
  encodeSnapshot,
  learnedPolicy,
  rebuild,
  Trainer,
  type CatalogueRecord,
  type LearnedPolicy,
  type LearningRecord,
  type ModelSnapshot,
  type MoneyRecord,
  type ShownRecord,
  type StartRecord,
} from '@paywright/selection-engine';
import type { Contender } from '../contender.ts';
import { contextOf } from '../log-of-world.ts';
import { worldStart } from '../world/calendar.ts';
import { dayMs } from '../world/people.ts';
import { horizonDays } from '../world/variants.ts';
import { availableAt, type World } from '../world/world.ts';

/** The product's own engine, as it is served: a trainer over the log, and the policies of its snapshots. */
export function engineContender(world: World, { rebuildDays = 0 } = {}): Contender {
  const modelId = `bench ${world.seed}`;
  let trainer = Trainer.fresh(modelId);
  const facts = { shown: [] as ShownRecord[], starts: [] as StartRecord[], money: [] as MoneyRecord[] };
  let catalogue: CatalogueRecord | undefined;
  let rebuiltAt = worldStart;
  const remember = (record: LearningRecord) => {
    if (record.type === 'shown') facts.shown.push(record);
    if (record.type === 'start') facts.starts.push(record);
    if (record.type === 'money') facts.money.push(record);
  };
  const arms = world.variants.map(({ paywall, design }) => ({ paywall, design }));
  const designOf = new Map(arms.map(({ paywall, design }) => [paywall, design]));
  // One list for all decisions of a catalogue, as it is in the product.
  const lists = arms.map((_, last) => arms.slice(0, last + 1).map(({ paywall }, row) => ({ paywall, paywallId: row, externalId: paywall }))); // prettier-ignore
  let known = 0;
  let snapshot: ModelSnapshot | undefined;
  let policy: LearnedPolicy | undefined;
  return {
    name: rebuildDays > 0 ? 'paywright, rebuilt' : 'paywright',
    learn(records, now) {
      for (const record of records) trainer.apply(record);
      if (rebuildDays === 0) return;
      records.forEach(remember);
      if (now < rebuiltAt + rebuildDays * dayMs || !catalogue) return;
      rebuiltAt = now;
      const { guard, lastDriftAlarms: driftAlarms } = trainer.report();
      trainer = rebuild(modelId, { ...facts, catalogue, guard, driftAlarms }, now);
    },
    prepare(from) {
      const at = world.at[from]!;
      const available = availableAt(world, at);
      if (available > known) {
        catalogue = { type: 'catalogue', at, revision: available, horizonDays, arms: arms.slice(0, available) };
        trainer.apply(catalogue);
        known = available;
      }
      snapshot = decodeSnapshot(encodeSnapshot(trainer.snapshot()));
      policy = learnedPolicy(`${at}`, snapshot, { designOf: (paywall) => designOf.get(paywall) });
    },
    choose(impression) {
      const candidates = lists[availableAt(world, world.at[impression]!) - 1];
      if (!snapshot || !policy || !candidates) throw new Error('It is not prepared.');
      const { calibration } = snapshot;
      const { probabilities, values } = policy.choose(contextOf(world, impression), candidates);
      const promised = values.map((value) => calibrated(calibration, value));
      return { probabilities, logValues: values.map(Math.log), promised };
    },
  };
}
