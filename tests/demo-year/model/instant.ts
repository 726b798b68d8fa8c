/**
 * A moment that is known from two sides only: the store set it itself, between two readings of its clock.
 * Milliseconds since the epoch, `earliest` ≤ `latest`.
 */
export interface Instant {
  readonly earliest: number;
  readonly latest: number;
}

export const dayMs = 86_400_000;

export const at = (ms: number): Instant => ({ earliest: ms, latest: ms });

export const isWithin = (ms: number, { earliest, latest }: Instant): boolean => earliest <= ms && ms <= latest;

/** As somebody tells it who knows whole steps alone. */
export const toldInSteps = ({ earliest, latest }: Instant, stepMs: number): Instant => ({
  earliest: earliest - (earliest % stepMs),
  latest: latest - (latest % stepMs),
});

export const plusDays = ({ earliest, latest }: Instant, days: number): Instant => ({
  earliest: earliest + days * dayMs,
  latest: latest + days * dayMs,
});

/** So many calendar months (UTC) later; from the 31st to a shorter month's last day. */
export const plusMonths = ({ earliest, latest }: Instant, months: number): Instant => ({
  earliest: monthsLater(earliest, months),
  latest: monthsLater(latest, months),
});

/** The same of one moment in milliseconds. */
export function monthsLater(ms: number, months: number): number {
  const from = new Date(ms);
  const [year, month] = [from.getUTCFullYear(), from.getUTCMonth() + months];
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return Date.UTC(year, month, Math.min(from.getUTCDate(), lastDay)) + (ms % dayMs);
}
