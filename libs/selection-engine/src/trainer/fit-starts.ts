import type { Arm } from '../learning/additive-model.ts';
import type { Observation } from '../learning/exposure-history.ts';
import { StartFit } from '../learning/start-fit.ts';
import { exp } from '../numbers/exp.ts';
import { dayAge, type TrainerState } from './trainer-state.ts';
import type { WaitingExposure } from './waiting-exposures.ts';

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

/** @param share of its starts that would have come by now */
const observed = ({ active, arm, weight, starts }: WaitingExposure, share: number): Observation => {
  return { active, arm, size: weight * share, starts: weight * starts };
};

export const isFitDue = ({ exposures, fittedExposures }: TrainerState): boolean =>
  exposures >= leastExposures && exposures >= growth * fittedExposures;

/** Keeps what a fit needs of an exposure that waits no more. */
export function keep({ history, dictionary }: TrainerState, exposure: WaitingExposure): void {
  history.add(observed(exposure, 1), dictionary.places);
}

/**
 * Fits the start model to all exposures that are known, as they count by now, and learns from the result how much weights
 * differ. It pauses between steps of some milliseconds each.
 */
export function* fitStarts(
  state: TrainerState,
  waiting: Iterable<WaitingExposure>,
  times = sweeps,
): Generator<undefined, void> {
  const { history, dictionary, arms, starts, values } = state;
  const shareOf = comeByNow(state);
  const young = Array.from(waiting, (one) => observed(one, shareOf(one)));
  const seen = history.with(young, dictionary.places);
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

/** The share of an exposure's starts that would have come by now, as late as starts of what it showed are. */
function comeByNow({ now, delays, arms }: TrainerState): (exposure: WaitingExposure) => number {
  const shares = new Map<number, (ageMs: number) => number>();
  return ({ arm, at }) => {
    const shown = arms.shownAs(arm, at);
    let byAge = shares.get(shown.row);
    if (byAge === undefined) shares.set(shown.row, (byAge = delays.byAge(arms.variantOf(shown))));
    return byAge(now - at);
  };
}

/** Runs a fit without a pause. */
export function toItsEnd(fit: Generator<undefined, void>): void {
  while (!fit.next().done);
}
