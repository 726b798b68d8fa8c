import { validationFailed } from '../../http/api-error.ts';
import type { Query } from '../listing.ts';

const dayMs = 86_400_000;

/** From until before, in milliseconds since the epoch. */
export interface Period {
  readonly from: number;
  readonly to: number;
}

/**
 * The period that a report is asked for. Without `to` it ends at `end`; without `from` it has so many days.
 * @throws ApiError VALIDATION_FAILED for what is no time, or a period that ends before it begins
 */
export function reportPeriod({ from, to }: Query, { end, days }: { end: number; days: number }): Period {
  const until = timeOf('to', to) ?? end;
  const since = timeOf('from', from) ?? until - days * dayMs;
  if (since >= until)
    throw validationFailed(`from must be before ${to === undefined ? 'now, where there is no to' : 'to'}.`);
  return { from: since, to: until };
}

/** A day, or a time with its offset from UTC: without one it would be the server's. */
const iso = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d))?$/;

/** `Date.parse` takes February 30 for March 2. */
const isDay = (day: string): boolean => {
  const midnight = Date.parse(day);
  return !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(day);
};

function timeOf(name: string, value: unknown): number | null {
  if (value === undefined) return null;
  const time = typeof value === 'string' && iso.test(value) && isDay(value.slice(0, 10)) ? Date.parse(value) : NaN;
  if (!Number.isNaN(time)) return time;
  throw validationFailed(`${name} must be a day or a time of ISO 8601, such as 2026-01-31 or 2026-01-31T09:30:00Z.`);
}
