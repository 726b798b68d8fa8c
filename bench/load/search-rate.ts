import { setTimeout as delay } from 'node:timers/promises';
import type { LoadJob, LoadResult } from './load-job.ts';
import { failed } from './load-job.ts';

export interface RateSearch {
  readonly job: Omit<LoadJob, 'rate' | 'seconds' | 'warmUpSeconds'>;
  readonly run: (job: LoadJob) => Promise<LoadResult>;
  readonly p99BelowMs: number;
  readonly startRate: number;
  readonly stepSeconds: number;
  readonly say: (line: string) => void;
}

/** A rate that was not met before finds code uncompiled and pools short: that is no part of what it bears. */
const warmUpSeconds = 8;
/** What an overload left behind is worked off before the next rate. */
const afterOverloadMs = 3_000;

const keepsUp = (result: LoadResult, p99BelowMs: number): boolean =>
  !result.overwhelmed &&
  failed(result) === 0 &&
  result.p99 < p99BelowMs &&
  result.answeredPerSecond > result.rate * 0.95;

/**
 * The best run among fixed rates: up by half until one fails (down by half if the first does), then three halvings
 * of the gap. A rate holds if every request is answered 2xx, in time, as fast as they come; one that does not is tried
 * once more, as a single run is easily disturbed by what else the machine does.
 * @returns null if even a sixteenth of the first rate fails
 */
export async function searchRate({
  job,
  run,
  p99BelowMs,
  startRate,
  stepSeconds,
  say,
}: RateSearch): Promise<LoadResult | null> {
  let best: LoadResult | null = null;
  const holds = async (rate: number): Promise<boolean> => (await holdsOnce(rate)) || holdsOnce(rate);
  const holdsOnce = async (rate: number): Promise<boolean> => {
    const result = await run({ ...job, rate, warmUpSeconds, seconds: stepSeconds });
    const enough = keepsUp(result, p99BelowMs);
    say(
      `  ${rate}/s: p50 ${result.p50.toFixed(1)} ms, p99 ${result.p99.toFixed(1)} ms, ${failed(result)} failed${enough ? '' : ' – too much'}`,
    );
    if (enough) best = result;
    else await delay(afterOverloadMs);
    return enough;
  };
  let [below, above] = [0, startRate];
  if (await holds(startRate)) {
    do [below, above] = [above, Math.round(above * 1.5)];
    while (await holds(above));
  } else {
    const lowest = startRate / 16;
    for (let rate = Math.round(startRate / 2); below === 0 && rate >= lowest; rate = Math.round(rate / 2)) {
      if (await holds(rate)) below = rate;
      else above = rate;
    }
  }
  for (let halving = 0; below > 0 && halving < 3; halving++) {
    const middle = Math.round((below + above) / 2);
    if (await holds(middle)) below = middle;
    else above = middle;
  }
  return best;
}
