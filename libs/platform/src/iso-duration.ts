const pattern =
  /^P(?=\d|T\d)(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?(?:T(?=\d)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/;

/** The last instant that a JavaScript date knows. */
const lastInstant = 8.64e15;

/**
 * The instant an ISO 8601 duration later, in milliseconds since the epoch; never beyond the year 275760.
 * Years and months are those of the UTC calendar, from the 31st to a shorter month's last day.
 * @param times how often the duration is added, 0 or more: thrice a month from the 31st of January is the 30th of April
 * @throws RangeError if the text is no duration, such as P7D or PT12H
 */
export function addDuration(at: number, duration: string, times = 1): number {
  const parts = pattern.exec(duration);
  if (parts === null) throw new RangeError('That is no ISO 8601 duration.');
  const [years = 0, months = 0, weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = parts
    .slice(1)
    .map((part) => Number(part ?? 0));
  const fixed = (((weeks * 7 + days) * 24 + hours) * 60 + minutes) * 60_000 + Math.round(seconds * 1_000);
  const later = addMonths(at, times * (years * 12 + months)) + times * fixed;
  return later <= lastInstant ? later : lastInstant;
}

function addMonths(at: number, months: number): number {
  if (months === 0) return at;
  const date = new Date(at);
  const day = date.getUTCDate();
  date.setUTCMonth(date.getUTCMonth() + months);
  if (date.getUTCDate() !== day) date.setUTCDate(0);
  return date.getTime();
}
