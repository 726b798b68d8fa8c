const quarterMs = 15 * 60_000;
const remembered = 1_000;

interface Known {
  readonly format: Intl.DateTimeFormat;
  /** Of the quarter of an hour that was asked about last: offsets change at its ends alone. */
  quarter: number;
  minutes: number;
}

/** How far clocks are ahead of UTC, by the time zones' tables of this machine. */
export class UtcOffsets {
  /** Null where the name is no time zone's. */
  readonly #zones = new Map<string, Known | null>();

  /** In minutes, at that time; null if the time zone is not known. */
  readonly at = (timezone: string, at: number): number | null => {
    const zone = this.#zoneOf(timezone);
    if (zone === null) return null;
    const quarter = Math.floor(at / quarterMs);
    if (zone.quarter !== quarter) {
      zone.minutes = minutesOf(zone.format, at);
      zone.quarter = quarter;
    }
    return zone.minutes;
  };

  #zoneOf(timezone: string): Known | null {
    const known = this.#zones.get(timezone);
    if (known !== undefined) return known;
    const format = formatOf(timezone);
    const zone = format && { format, quarter: NaN, minutes: 0 };
    // Clients name them: more names than there are zones are mistakes, and forgotten together.
    if (this.#zones.size >= remembered) this.#zones.clear();
    this.#zones.set(timezone, zone);
    return zone;
  }
}

function formatOf(timeZone: string): Intl.DateTimeFormat | null {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  } catch {
    return null;
  }
}

/** `GMT-03:30` is what the format ends with; `GMT` alone is UTC. Seconds, of old times, are left out. */
function minutesOf(format: Intl.DateTimeFormat, at: number): number {
  const name = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, sign, hours = 0, minutes = 0] = /^GMT([+-])(\d\d):(\d\d)/.exec(name) ?? [];
  return (sign === '-' ? -1 : 1) * (60 * Number(hours) + Number(minutes)) || 0;
}
