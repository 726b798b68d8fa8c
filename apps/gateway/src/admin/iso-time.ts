/** ISO 8601 in UTC with milliseconds, of milliseconds since the epoch. */
export const isoTime = (time: number): string => new Date(time).toISOString();
export const isoTimeOrNull = (time: number | null): string | null => (time === null ? null : isoTime(time));
