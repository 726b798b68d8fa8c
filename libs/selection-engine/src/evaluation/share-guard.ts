import type { EpochStratum } from '../trainer/side-sums.ts';
import { compareSides, guard, guardAlphas, verdictOf } from './confidence-sequence.ts';

/** So many exposures more, or there is no new look at what AI earns. */
const betweenLooks = 250;

/** What the guard leaves of the AI's share of AI and Baseline traffic, and how it came to that. */
export interface ShareGuard {
  /** Times the AI's weight; the rest is Baseline's. */
  readonly factor: 1 | 0.5 | 0;
  /** When each share epoch began, rising; the first is 0. Exposures of one are compared apart from others'. */
  readonly epochs: readonly number[];
  /** When AI last had its whole share given back: what is older says nothing of a return. */
  readonly triedSince: number;
  /** That were compared at the last look. */
  readonly exposures: number;
}

export const unguarded: ShareGuard = { factor: 1, epochs: [0], triedSince: 0, exposures: 0 };

/** The beginning of the share epoch that a time is in. */
export function epochOf({ epochs }: ShareGuard, at: number): number {
  // Asked of every exposure that waits, again and again: a loop, as closures cost more than all else here.
  let newest = epochs.length - 1;
  while (newest >= 0 && !(epochs[newest]! <= at)) newest--;
  return epochs[newest] ?? 0;
}

/**
 * What an alarm does to the share: the first halves it, a second takes the rest, and AI gets it back once it is better
 * for sure. An alarm is raised by the newest epoch alone: by older ones the second would follow the first at once, on
 * the same evidence. A return is judged by all epochs since the whole share was last given, each weighed by its size.
 * @param strata all that was compared so far
 * @param at milliseconds since the epoch, not before the last look
 */
export function lookAtShare(state: ShareGuard, strata: readonly EpochStratum[], at: number): ShareGuard {
  const exposures = strata.reduce((sum, { ai, baseline }) => sum + ai.exposures + baseline.exposures, 0);
  // Without AI's traffic nothing more is compared. What its last starts were worth becomes known all the same.
  if (state.factor > 0 && exposures < state.exposures + betweenLooks) return state;
  const looked = { ...state, exposures };
  if (state.factor < 1 && guard(since(state.triedSince, strata)) === 'better') return restoreShare(looked, at);
  if (state.factor === 0 || guard(ofNewest(state, strata)) !== 'worse') return looked;
  return { ...looked, factor: state.factor === 1 ? 0.5 : 0, epochs: [...state.epochs, at] };
}

/**
 * Whether starts alone, which are known as they come, look like an alarm. USD decide, and their starts are to be valued
 * for that.
 */
export function isWorseByStarts(state: ShareGuard, strata: readonly EpochStratum[]): boolean {
  const starts = compareSides(ofNewest(state, strata), 'starts', guardAlphas.starts);
  return state.factor > 0 && verdictOf(starts) === 'worse';
}

const since = (at: number, strata: readonly EpochStratum[]) => strata.filter((stratum) => stratum.since >= at);

const ofNewest = ({ epochs }: ShareGuard, strata: readonly EpochStratum[]) => since(epochs.at(-1) ?? 0, strata);

/**
 * AI has its whole share again, and is judged by what comes from now on. Nothing changes if it had it, so that nobody
 * spares AI an alarm by saying so again and again; or if that was said before the last alarm.
 */
export function restoreShare(state: ShareGuard, at: number): ShareGuard {
  return state.factor === 1 || at < (state.epochs.at(-1) ?? 0)
    ? state
    : { ...state, factor: 1, epochs: [...state.epochs, at], triedSince: at };
}

/**
 * Another share holds than this guard found: an earlier one that learned otherwise did. What is compared from now on is of
 * that share, and what becomes of it is judged as if this one had found it.
 */
export function adoptShare(state: ShareGuard, factor: ShareGuard['factor'], at: number): ShareGuard {
  if (state.factor === factor) return state;
  const since = Math.max(at, state.epochs.at(-1) ?? 0);
  return factor === 1 ? restoreShare(state, since) : { ...state, factor, epochs: [...state.epochs, since] };
}
