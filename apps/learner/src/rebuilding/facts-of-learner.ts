import { carriedFrom, onceById, type RebuildFacts, type StartRecord } from '@paywright/selection-engine';
import type { ModelLearner } from '../training/model-learner.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const leastDays = 180;

/** What a rebuild is made of, beside exposures. */
export interface FactsOfLearner {
  readonly facts: RebuildFacts;
  /** Starts whose exposures do not count yet: they wait on beside the rebuilt model. */
  readonly early: readonly StartRecord[];
  /** Exposures from then on are facts; milliseconds since the epoch. */
  readonly since: number;
}

/**
 * What a live learner knows of the last 180 days, or of the model's horizon if that is longer. Starts and their money
 * are sets, which it holds already: exposures alone are to be read again, and none of before what the last rebuild read.
 * Where that was refused and the horizon is longer since, the learner has starts of before: they would be without theirs.
 * @throws RangeError if its log has no catalog yet
 */
export function factsOfLearner({ trainer, margin }: ModelLearner): FactsOfLearner {
  const { state } = trainer;
  const { catalogue } = margin;
  if (catalogue === null) throw new RangeError('A model without a catalog cannot be rebuilt.');
  const { last } = margin.rebuild;
  const since = Math.max(state.now - Math.max(leastDays, state.horizonDays) * dayMs, last?.since ?? 0);
  const { starts, money } = state.ledger.records();
  const all = onceById([...starts.map(({ start }) => start), ...margin.early]);
  const isOld = ({ exposure }: StartRecord) => exposure.at < since;
  const isEarly = ({ exposure }: StartRecord) => exposure.at + hourMs > state.now;
  const old = new Set(all.filter(isOld).map(({ id }) => id));
  return {
    facts: {
      ...carriedFrom(state),
      catalogue,
      starts: all.filter((start) => !isOld(start) && !isEarly(start)),
      // Money may be waiting for a start that the log does not have yet.
      money: money.filter(({ chain, at }) => !old.has(chain) && at >= since),
    },
    early: all.filter((start) => !isOld(start) && isEarly(start)).map(copyOf),
    since,
  };
}

/** By itself, as it is kept with the model's margin: what a ledger has of a start is read from there. */
function copyOf({ type, id, at, exposure, product, plan, country, periodDays, trialDays }: StartRecord): StartRecord {
  const { id: shownId, at: shownAt, paywall, values, side, share, logValue } = exposure;
  const copied = { id: shownId, at: shownAt, paywall, values, side, share, logValue };
  return { type, id, at, exposure: copied, product, plan, country, periodDays, trialDays };
}
