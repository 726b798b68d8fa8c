/** How far a rebuild was at a moment: `at` in milliseconds since the epoch, the others in records. */
export interface Sample {
  readonly at: number;
  readonly done: number;
  readonly total: number;
}

/** So few that a switch folds them in while it keeps writers waiting. */
const nearlyLevel = 1_000;
const windowMs = 30_000;

/** Whether a switch may be tried. @param behind in records */
export const isNearlyLevel = (behind: number): boolean => behind <= nearlyLevel;

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
  const [first, last] = [samples[0]!, samples.at(-1)!];
  const { done, total } = last;
  const percent = total === 0 ? 100 : Math.floor((100 * done) / total);
  const seconds = (last.at - first.at) / 1_000;
  const rate = seconds > 0 ? (done - first.done) / seconds : 0;
  const records = `${count(done)} of ${count(total)} records`;
  const counts = `${percent} % · ${records}`;
  if (done >= total) return `${counts} · level`;
  // Without the share: of a small read model next to nothing may be done.
  if (isNearlyLevel(total - done)) return `${records} · level: the switch folds in the rest`;
  if (rate <= 0) return counts;
  return `${counts} · ${count(Math.round(rate))}/s · ${duration((total - done) / rate)} left`;
}

const count = (value: number): string => value.toLocaleString('en-US');

function duration(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
