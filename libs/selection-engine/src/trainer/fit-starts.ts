import type { Arm } from '../learning/additive-model.ts';
import type { ObservedElsewhere } from '../learning/exposure-history.ts';
import { StartFit } from '../learning/start-fit.ts';
import { exp } from '../numbers/exp.ts';
import { dayAge, type TrainerState } from './trainer-state.ts';
import type { Shown } from './waiting-columns.ts';
import { weightAfter, weightOf, type WaitingExposure } from './waiting-exposure.ts';

/** Exposures that are not mature, in one order. */
export interface Waiting {
  shown(): Shown;
}

/** Fewer say nothing worth a fit. */
const leastExposures = 200;
/**
 * A fit is due once there are so many times the exposures of the last one: all fits together then take a fixed number
 * of passes.
 */
const growth = 1.02;
/** From nothing; and from where the last fit ended, which is not far: that fits come often is worth more. */
const [firstSweeps, furtherSweeps] = [3, 1];
/** From nothing, and from priors that were learned meanwhile, it is. */
export const sweepsOfRebuild = 8;

export const isFitDue = ({ exposures, fittedExposures }: TrainerState): boolean =>
  exposures >= leastExposures && exposures >= growth * fittedExposures;

const sweepsOf = ({ starts }: TrainerState): number => (starts.weights.isFitted ? furtherSweeps : firstSweeps);

/** Keeps what a fit needs of an exposure that waits no more. */
export function keep({ history }: TrainerState, exposure: WaitingExposure): void {
  const { places, arm, starts } = exposure;
  const weight = weightOf(exposure);
  history.add({ places, arm, size: weight, starts: weight * starts });
}

/**
 * Fits the start model to all exposures that are known, as they count by now, and learns from the result how much weights
 * differ. It pauses between steps of some milliseconds each.
 */
export function* fitStarts(state: TrainerState, waiting: Waiting, times = sweepsOf(state)): Generator<undefined, void> {
  const { history, dictionary, arms, starts, values } = state;
  const seen = [history, observed(waiting.shown(), comeByNow(state))];
  const fit = new StartFit(starts.weights, seen, dictionary.groups, arms.designs, values.weights.intercepts());
  for (let step = 0; step < times * fit.groups; step++) {
    fit.fitGroup(step % fit.groups);
    yield;
  }
  fit.learnVariances();
  fit.finish();
  state.fittedExposures = state.exposures;
}

/**
 * Starts within a day of an exposure: of what has come of younger ones more is known than of what is to come, and a rate and
 * the share that comes late are off together.
 */
export const foretell = ({ starts, delays, arms }: TrainerState, active: Int32Array, arm: Arm): number =>
  exp(starts.score(active, arm)) * delays.upTo(arms.variantOf(arm), dayAge);

/** @param shareOf of the starts of an exposure of an arm at a time that would have come by now */
function observed(shown: Shown, shareOf: (arm: number, at: number) => number): ObservedElsewhere {
  const { count, arms, at, discounts } = shown;
  const [sizes, starts] = [new Float32Array(count), new Float32Array(count)];
  for (let slot = 0; slot < count; slot++) {
    const weight = weightAfter(discounts[slot]!);
    sizes[slot] = weight * shareOf(arms[slot]!, at[slot]!);
    starts[slot] = weight * shown.starts[slot]!;
  }
  return { ...shown, sizes, starts };
}

/** The share of an exposure's starts that would have come by now, as late as starts of what it showed are. */
function comeByNow({ now, delays, arms }: TrainerState): (arm: number, at: number) => number {
  const shares = Array.from({ length: arms.size.arms }, (_, row) => delays.byAge(arms.variantAt(row)));
  return (arm, at) => shares[arms.rowShown(arm, at)]!(now - at);
}

/** Runs a fit without a pause. */
export function toItsEnd(fit: Generator<undefined, void>): void {
  while (!fit.next().done);
}
