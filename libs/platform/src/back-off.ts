import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

/** How long waits grow: `firstMs` × 2 a time up to `lastMs`. */
export interface BackOff {
  readonly firstMs: number;
  readonly lastMs: number;
}

/** Waits before attempt 1, 2 … (0 is the first wait), with jitter between 80 and 120 %; a signal ends the wait at once. */
export async function waitBefore(attempt: number, { firstMs, lastMs }: BackOff, until?: AbortSignal): Promise<void> {
  const ms = Math.min(firstMs * 2 ** attempt, lastMs) * (randomInt(80, 121) / 100);
  await sleep(ms, until);
}

/** Waits; a signal ends the wait at once, without a throw. */
export async function sleep(ms: number, until?: AbortSignal): Promise<void> {
  if (until?.aborted) return;
  await delay(ms, undefined, until ? { signal: until } : {}).catch(() => undefined);
}
