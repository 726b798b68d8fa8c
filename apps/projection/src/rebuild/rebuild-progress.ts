/** How far a rebuild was at a moment: `at` in milliseconds since the epoch, the others in records. */
export interface Sample {
  readonly at: number;
  readonly done: number;
  readonly total: number;
}

const leastNearlyLevel = 1_000;
/** Seconds' worth of what arrives: a batch of it is always in hand, so where much arrives nothing is ever within a few records. */
const nearlyLevelSeconds = 0.5;
const windowMs = 30_000;

/**
 * How many records behind a switch may be tried: so few that it folds them in while it keeps writers waiting. As what has caught
 * up folds faster than records arrive, this takes less than half a second, however many arrive.
 * @param samples oldest first, at least one; the rate of arrivals is that from the first to the last
 */
export const nearlyLevel = (samples: readonly Sample[]): number =>
  Math.max(leastNearlyLevel, Math.floor(nearlyLevelSeconds * arrivalsOf(samples)));

/** The samples of the last 30 seconds, and the newest one before them. */
export function recentSamples(samples: readonly Sample[], now: number): readonly Sample[] {
  const first = samples.findLastIndex(({ at }) => at <= now - windowMs);
  return samples.slice(Math.max(0, first));
}

/**
 * A line for people: share, counts, rate and time left, or that it is level.
 * @param samples oldest first, at least one; the rate is that from the first to the last
 */
export function describeProgress(samples: readonly Sample[]): string {
  const { done, total } = samples.at(-1)!;
  const percent = total === 0 ? 100 : Math.floor((100 * done) / total);
  const rate = rateOf(samples, (sample) => sample.done);
  const arrivals = arrivalsOf(samples);
  const records = `${count(done)} of ${count(total)} records`;
  const counts = `${percent} % · ${records}`;
  if (done >= total) return `${counts} · level`;
  // Without the share: of a small read model next to nothing may be done.
  if (total - done <= nearlyLevel(samples)) return `${records} · level: the switch folds in the rest`;
  if (rate <= 0) return counts;
  const left =
    rate > arrivals
      ? `${duration((total - done) / (rate - arrivals))} left`
      : `no end while ${count(Math.round(arrivals))}/s arrive`;
  return `${counts} · ${count(Math.round(rate))}/s · ${left}`;
}

const arrivalsOf = (samples: readonly Sample[]): number => rateOf(samples, ({ total }) => total);

/** Records a second, from the first sample to the last; 0 of one alone. */
function rateOf(samples: readonly Sample[], countOf: (sample: Sample) => number): number {
  const [first, last] = [samples[0]!, samples.at(-1)!];
  const seconds = (last.at - first.at) / 1_000;
  return seconds > 0 ? (countOf(last) - countOf(first)) / seconds : 0;
}

const count = (value: number): string => value.toLocaleString('en-US');

function duration(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
