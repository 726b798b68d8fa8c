import type { Observation } from '../learning/exposure-history.ts';
import { StartFit } from '../learning/start-fit.ts';
import type { TrainerState } from './trainer-state.ts';
import type { WaitingExposure } from './waiting-exposures.ts';

/** Fewer are learned one by one alone. */
const leastExposures = 200;
/** A fit is due once there are so many times the exposures of the last one: all fits together then take a fixed number of passes. */
const growth = 1.1;
const sweeps = 3;

const observed = ({ active, arm, weight, given, starts }: WaitingExposure): Observation => {
  return { active, arm, size: weight * given, starts: weight * starts };
};

export const isFitDue = ({ exposures, fittedExposures }: TrainerState): boolean =>
  exposures >= leastExposures && exposures >= growth * fittedExposures;

/** Keeps what a fit needs of an exposure that waits no more. */
export function keep({ history, dictionary }: TrainerState, exposure: WaitingExposure): void {
  history.add(observed(exposure), dictionary.places);
}

/** A fit of all exposures that are known, as they count by now. */
export function startFitOf(
  { history, dictionary, arms, starts }: TrainerState,
  waiting: Iterable<WaitingExposure>,
): StartFit {
  const seen = history.with(Array.from(waiting, observed), dictionary.places);
  const designs = Array.from({ length: arms.size.arms }, (_, row) => arms.designAt(row));
  return new StartFit(starts.weights, seen, dictionary.groups, designs);
}

/** Fits the start model to all exposures, and learns from the result how much weights differ. */
export function fitStarts(state: TrainerState): void {
  const fit = startFitOf(state, state.waiting);
  for (let sweep = 0; sweep < sweeps; sweep++) for (let group = 0; group < fit.groups; group++) fit.fitGroup(group);
  fit.finish();
  learnTaus(state);
  state.fittedExposures = state.exposures;
}

/** Empirical Bayes of what differs between variants; the shared weights keep their priors. */
export function learnTaus({ starts: { weights } }: TrainerState): void {
  weights.arms.learnTau();
  weights.tokens.learnTau();
}
