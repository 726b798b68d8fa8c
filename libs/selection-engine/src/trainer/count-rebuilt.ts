import { epochOf } from '../evaluation/share-guard.ts';
import { ageAt, agesMs, type TrainerState } from './trainer-state.ts';
import { compareHashes } from '../numbers/hash64.ts';
import type { WaitingColumns } from './waiting-columns.ts';
import type { WaitingExposure } from './waiting-exposure.ts';
import { WaitingExposures } from './waiting-exposures.ts';

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
export function lineOf(young: WaitingColumns, now: number): WaitingExposures {
  const times = young.columns.doubles.at;
  const order = Uint32Array.from({ length: young.count }, (_, slot) => slot).sort(
    (one, other) => times[one]! - times[other]! || compareHashes(young.idAt(one), young.idAt(other)),
  );
  const passed = agesMs.map((_, age) => order.filter((slot) => ageAt(times[slot]!, now) >= age).length);
  return new WaitingExposures(agesMs, { passed, exposures: young.inOrder(order) });
}
