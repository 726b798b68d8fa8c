import { encodeSnapshot, Examination, Rebuild, type Promotion, type ShownRecord } from '@paywright/selection-engine';
import { sha256Of } from '@paywright/selection-models';
import type { ModelLearner } from '../training/model-learner.ts';
import type { FactsOfLearner } from './facts-of-learner.ts';
import type { ShuffledExposures } from './shuffled-exposures.ts';

/** Learned from at a time, some 20 ms: the process has other work. */
const atATime = 1_000;

/** A model made anew, and how it did beside the live one. */
export interface RebuiltModel {
  readonly learner: ModelLearner;
  readonly promotion: Promotion;
  readonly exposures: number;
  readonly liveSha256: string;
  readonly rebuiltSha256: string;
}

/**
 * Rebuilds a model and judges it, in two passes over its exposures and a fit: see the engine's `Rebuild` and `Examination`.
 * @param live as it was where the rebuild began, and the facts that it knew there
 * @param rest called between slices of the work; a rejection ends the work
 */
export async function rebuildModel(
  live: ModelLearner,
  { facts, early }: FactsOfLearner,
  shown: ShuffledExposures,
  rest: () => Promise<void>,
): Promise<RebuiltModel> {
  const { seed, now } = live.trainer.state;
  const rebuild = new Rebuild(seed, facts, now);
  const examination = new Examination(live.trainer, facts, now);
  let exposures = 0;
  const pass = async (take: (record: ShownRecord) => void) => {
    exposures = 0;
    for await (const records of shown.inOrder()) {
      for (let start = 0; start < records.length; start += atATime) {
        for (const record of records.slice(start, start + atATime)) take(record);
        await rest();
      }
      exposures += records.length;
    }
  };
  await pass((record) => [rebuild, examination].forEach((one) => one.count(record)));
  await pass((record) => [rebuild, examination].forEach((one) => one.learn(record)));
  for (const fit of [rebuild.fit(), examination.fit()]) while (!fit.next().done) await rest();
  const trainer = rebuild.finish();
  return {
    learner: live.rebuilt(trainer, early),
    promotion: examination.judge(),
    exposures,
    liveSha256: sha256Of(encodeSnapshot(live.trainer.snapshot())),
    rebuiltSha256: sha256Of(encodeSnapshot(trainer.snapshot())),
  };
}
