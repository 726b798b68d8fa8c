import { build } from 'hdr-histogram-js';

export interface ClosedLoopResult {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
}

/**
 * Keeps so many calls under way for a time. For comparisons only: a slow server slows the callers, so its latencies
 * are kinder than those of the open loop.
 */
export async function runClosedLoop(
  call: () => Promise<unknown>,
  inFlight: number,
  seconds: number,
): Promise<ClosedLoopResult> {
  const warmUpMs = 2_000;
  const latencies = build({
    lowestDiscernibleValue: 1,
    highestTrackableValue: 60_000_000,
    numberOfSignificantValueDigits: 3,
  });
  const from = performance.now() + warmUpMs;
  const to = from + seconds * 1000;
  const lane = async (): Promise<void> => {
    for (let sent = performance.now(); sent < to; sent = performance.now()) {
      await call();
      const now = performance.now();
      if (sent >= from && now <= to) latencies.recordValue(Math.max(1, Math.round((now - sent) * 1000)));
    }
  };
  await Promise.all(Array.from({ length: inFlight }, lane));
  const milliseconds = (percentile: number) => latencies.getValueAtPercentile(percentile) / 1000;
  return { perSecond: latencies.totalCount / seconds, p50: milliseconds(50), p99: milliseconds(99) };
}
