import {
  describeCount,
  describeCounts,
  describeDuration,
  describeRate,
  describeShare,
  rateOf,
  type ProgressSample,
} from '@paywright/platform';

/**
 * A line for people: share and counts, and where something was published from the one sample to the other the rate and
 * the time left at that rate. Before the first event is published they are put in order.
 */
export function describeRepublish(service: string, earlier: ProgressSample, now: ProgressSample): string {
  const { done, total } = now;
  if (done === 0 && total > 0) return `${service}: ${describeCount(total)} events are being put in order`;
  const counts = `${service}: ${describeShare(now)} · ${describeCounts(now, 'events')}`;
  const rate = rateOf([earlier, now]);
  return rate > 0 ? `${counts} · ${describeRate(rate)} · ${describeDuration((total - done) / rate)} left` : counts;
}
