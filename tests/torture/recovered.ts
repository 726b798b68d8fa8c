import type { Attempt } from './probe.ts';

/**
 * When requests succeeded for good again: the first success that was asked for after the last failure.
 * @param attempts in any order; only those that were asked for from `from` until `until` count
 * @returns null if none failed; infinity if none succeeded after the last failure
 */
export function recoveredAt(attempts: readonly Attempt[], from: number, until: number): number | null {
  const within = attempts.filter(({ askedAt }) => askedAt >= from && askedAt < until);
  const failures = within.filter(({ succeeded }) => !succeeded).map(({ askedAt }) => askedAt);
  if (failures.length === 0) return null;
  const last = Math.max(...failures);
  const after = within.filter(({ askedAt, succeeded }) => succeeded && askedAt > last);
  return Math.min(...after.map(({ endedAt }) => endedAt));
}
