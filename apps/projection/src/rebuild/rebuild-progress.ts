import {
  describeCounts,
  describeDuration,
  describeRate,
  describeShare,
  rateOf,
  type ProgressSample,
} from '@paywright/platform';

const leastNearlyLevel = 1_000;
/** Seconds' worth of what arrives: a batch of it is always in hand, so where much arrives nothing is ever within a few records. */
const nearlyLevelSeconds = 0.5;
const windowMs = 30_000;

/**
 * How many records behind a switch may be tried: so few that it folds them in while it keeps writers waiting. As what has caught
 * up folds faster than records arrive, this takes less than half a second, however many arrive.
 * @param samples oldest first, at least one; the rate of arrivals is that from the first to the last
 */
export const nearlyLevel = (samples: readonly ProgressSample[]): number =>
  Math.max(leastNearlyLevel, Math.floor(nearlyLevelSeconds * arrivalsOf(samples)));

/** The samples of the last 30 seconds, and the newest one before them. */
export function recentSamples(samples: readonly ProgressSample[], now: number): readonly ProgressSample[] {
  const first = samples.findLastIndex(({ at }) => at <= now - windowMs);
  return samples.slice(Math.max(0, first));
}

/**
 * A line for people: share, counts, rate and time left, or that it is level.
 * @param samples oldest first, at least one; the rate is that from the first to the last
 */
export function describeProgress(samples: readonly ProgressSample[]): string {
  const sample = samples.at(-1)!;
  const { done, total } = sample;
  const rate = rateOf(samples);
  const arrivals = arrivalsOf(samples);
  const records = describeCounts(sample, 'records');
  const counts = `${describeShare(sample)} · ${records}`;
  if (done >= total) return `${counts} · level`;
  // Without the share: of a small read model next to nothing may be done.
  if (total - done <= nearlyLevel(samples)) return `${records} · level: the switch folds in the rest`;
  if (rate <= 0) return counts;
  const left =
    rate > arrivals
      ? `${describeDuration((total - done) / (rate - arrivals))} left`
      : `no end while ${describeRate(arrivals)} arrive`;
  return `${counts} · ${describeRate(rate)} · ${left}`;
}

const arrivalsOf = (samples: readonly ProgressSample[]): number => rateOf(samples, ({ total }) => total);
