import type { Arm } from '../learning/additive-model.ts';
import type { ObservedElsewhere } from '../learning/exposure-history.ts';
import { StartFit } from '../learning/start-fit.ts';
import { exp } from '../numbers/exp.ts';
import { dayAge, type TrainerState } from './trainer-state.ts';
import type { Shown } from './waiting-columns.ts';
import { weightOf, type WaitingExposure } from './waiting-exposure.ts';

/** Exposures that are not mature, in one order. */
interface Waiting extends Iterable<WaitingExposure> {
  shown(): Shown;
}

/** Fewer say nothing worth a fit. */
const leastExposures = 200;
/**
 * A fit is due once there are so many times the exposures of the last one: all fits together then take a fixed number
 * of passes.
 */
const growth = 1.02;
/** From where the last fit ended it is not far. */
const sweeps = 3;
/** From nothing, and from priors that were learned meanwhile, it is. */
export const sweepsOfRebuild = 8;

export const isFitDue = ({ exposures, fittedExposures }: TrainerState): boolean =>
  exposures >= leastExposures && exposures >= growth * fittedExposures;

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
export function* fitStarts(state: TrainerState, waiting: Waiting, times = sweeps): Generator<undefined, void> {
  const { history, dictionary, arms, starts, values } = state;
  const seen = history.with(observed(waiting, comeByNow(state)));
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

/** @param shareOf of an exposure's starts that would have come by now */
function observed(waiting: Waiting, shareOf: (exposure: WaitingExposure) => number): ObservedElsewhere {
  const shown = waiting.shown();
  const [sizes, starts] = [new Float32Array(shown.count), new Float32Array(shown.count)];
  let at = 0;
  for (const exposure of waiting) {
    const weight = weightOf(exposure);
    sizes[at] = weight * shareOf(exposure);
    starts[at++] = weight * exposure.starts;
  }
  return { ...shown, sizes, starts };
}

/** The share of an exposure's starts that would have come by now, as late as starts of what it showed are. */
function comeByNow({ now, delays, arms }: TrainerState): (exposure: WaitingExposure) => number {
  const shares = new Map<number, (ageMs: number) => number>();
  return ({ arm, at }) => {
    const row = arms.rowShown(arm, at);
    let byAge = shares.get(row);
    if (byAge === undefined) shares.set(row, (byAge = delays.byAge(arms.variantAt(row))));
    return byAge(now - at);
  };
}

/** Runs a fit without a pause. */
export function toItsEnd(fit: Generator<undefined, void>): void {
  while (!fit.next().done);
}
