/** How far a republish was at a moment: `at` in milliseconds, of any clock; the others in events. */
export interface Sample {
  readonly at: number;
  readonly done: number;
  readonly total: number;
}

/**
 * A line for people: share and counts, and where something was published from the one sample to the other the rate and
 * the time left at that rate. Before the first event is published they are put in order.
 */
export function describeRepublish(service: string, earlier: Sample, { at, done, total }: Sample): string {
  if (done === 0 && total > 0) return `${service}: ${count(total)} events are being put in order`;
  const percent = total === 0 ? 100 : Math.floor((100 * done) / total);
  const counts = `${service}: ${percent} % · ${count(done)} of ${count(total)} events`;
  const rate = (1_000 * (done - earlier.done)) / (at - earlier.at);
  return rate > 0 ? `${counts} · ${count(Math.round(rate))}/s · ${duration((total - done) / rate)} left` : counts;
}

const count = (value: number): string => value.toLocaleString('en-US');

function duration(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
