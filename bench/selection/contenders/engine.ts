import {
  calibrated,
  carriedFrom,
  choiceVersion,
  decodeSnapshot,
  encodeSnapshot,
  judgeRebuild,
  learnedPolicy,
  rebuild,
  Trainer,
  type CatalogueRecord,
  type ChoiceVersion,
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
import { engineName } from '../summary.ts';
import { availableAt, type World } from '../world/world.ts';

export interface EngineOptions {
  /** Made anew from all facts every night, and then served if it foretells the last day not worse than the live model did. */
  readonly rebuilt?: boolean;
  /** As a person may hold AI back who does not trust it yet: a quarter of its traffic for the first days, then all of it. */
  readonly carefulDays?: number;
  /** The rule that it explores by; the newest if absent. */
  readonly version?: ChoiceVersion;
}

const carefulShare = 0.25;

/** The product's own engine, as it is served: a trainer over the log, and the policies of its snapshots. */
export function engineContender(
  world: World,
  { rebuilt = false, carefulDays = 0, version = choiceVersion }: EngineOptions = {},
): Contender {
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
    name: [engineName, ...(rebuilt ? ['rebuilt'] : []), ...(carefulDays > 0 ? ['careful'] : [])].join(', '),
    share: (at) => (at < worldStart + carefulDays * dayMs ? carefulShare : 1),
    learn(records, now) {
      for (const record of records) trainer.apply(record);
      if (!rebuilt) return;
      records.forEach(remember);
      if (now < rebuiltAt + dayMs || !catalogue) return;
      rebuiltAt = now;
      const known = { ...facts, catalogue, ...carriedFrom(trainer.state) };
      if (judgeRebuild(trainer, known, now).promote) trainer = rebuild(modelId, known, now);
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
      policy = learnedPolicy(`${at}`, snapshot, { version, designOf: (paywall) => designOf.get(paywall) });
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
