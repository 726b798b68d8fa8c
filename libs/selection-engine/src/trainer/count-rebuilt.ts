import { epochOf } from '../evaluation/share-guard.ts';
import { ageAt, agesMs, type TrainerState } from './trainer-state.ts';
import { WaitingExposures, type WaitingExposure } from './waiting-exposures.ts';

/** What a live trainer counts as an exposure passes its ages, at once. */
export function countRebuilt(state: TrainerState, exposure: WaitingExposure): void {
  const age = ageAt(exposure.at, state.now);
  const { side, share, logValue, delayBin } = exposure;
  if (age >= 0) state.exposures++;
  if (age >= 1) {
    exposure.isCompared = true;
    const compared = { side, share, since: epochOf(state.guard, exposure.at) };
    state.comparison.addExposure(compared, exposure.given);
    if (delayBin !== null) state.comparison.addStart(compared);
  }
  if (logValue !== null && age >= 0) state.promises.count(exposure.at, logValue, exposure.given);
}

/** Exposures that are not mature yet, as if each had arrived when it happened. */
export function lineOf(young: readonly WaitingExposure[], now: number): WaitingExposures {
  const exposures = [...young].sort((one, other) => one.at - other.at || (one.id < other.id ? -1 : 1));
  const passed = agesMs.map((_, age) => young.filter(({ at }) => ageAt(at, now) >= age).length);
  return new WaitingExposures(agesMs, { passed, exposures });
}
