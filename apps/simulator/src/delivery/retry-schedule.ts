import type { StoreName } from '../domain/purchase.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** Apple's waits between tries, in production alone. */
const appleWaits: readonly number[] = [1 * hour, 12 * hour, 24 * hour, 48 * hour, 72 * hour];
const stripeWaits: readonly number[] = [
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  12 * hour,
  12 * hour,
  12 * hour,
];
const playKeepsFor = 7 * day;

/**
 * How long a store waits before it sends a notification once more; null: it gives up.
 * @param attempts how often it was sent, 1 or more
 * @param ageMs since it was written
 */
export function retryAfter(
  { store, environment }: { store: StoreName; environment: 'production' | 'sandbox' },
  attempts: number,
  ageMs: number,
): number | null {
  switch (store) {
    case 'app-store':
      return environment === 'production' ? (appleWaits[attempts - 1] ?? null) : null;
    case 'stripe':
      return stripeWaits[attempts - 1] ?? null;
    case 'play-store': {
      // Pub/Sub backs off from 10 s to 10 min and repeats until the message expires.
      const wait = Math.min(10_000 * 2 ** (attempts - 1), 10 * minute);
      return ageMs + wait < playKeepsFor ? wait : null;
    }
    default:
      store satisfies never;
      return null;
  }
}
