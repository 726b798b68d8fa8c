/** What a fetch of a paywall costs a part, all its threads together. */
export interface PartCost {
  readonly part: string;
  /** Processor time a fetch, in milliseconds, of a core of the machine of docs/performance.md. */
  readonly milliseconds: number;
  /** Instances beyond this share no more of the work; null: no such bound. */
  readonly mostInstances: number | null;
}

/** Measured at 800 fetches/s on two cores; the bounds are the partitions of deploy/topics.json. */
export const costsOfFetch: readonly PartCost[] = [
  { part: 'gateway', milliseconds: 0.59, mostInstances: 64 },
  { part: 'selection', milliseconds: 0.37, mostInstances: 12 },
  { part: 'learner', milliseconds: 0.18, mostInstances: 12 },
  { part: 'projection', milliseconds: 0.15, mostInstances: 12 },
  { part: 'brokers', milliseconds: 0.4, mostInstances: null },
  { part: 'PostgreSQL', milliseconds: 0.4, mostInstances: null },
];

/** How busy a core may be on average: beyond, p99 leaves what was measured. */
const utilisation = 0.6;

/** Bytes that a fetch leaves behind. Measured over 241,399 of them; the rows that reports read (245 bytes), over 660,000. */
const bytesOfFetch = { eventsForEver: 2_229, commandsForThreeDays: 616, database: 4_546 + 245 } as const;

/** Cores that a part needs, so busy as they may be. @param rate fetches a second */
const coresFor = (rate: number, { milliseconds }: PartCost): number => (rate * milliseconds) / 1_000 / utilisation;

/** Instances of one core each: JavaScript runs on one. */
export const instancesFor = (rate: number, cost: PartCost): number => Math.ceil(coresFor(rate, cost) - 1e-9);

/** The rate at which a part has as many instances as it can have; infinite without a bound. Fetches a second. */
export const endOf = ({ mostInstances, milliseconds }: PartCost): number =>
  mostInstances === null ? Infinity : (mostInstances * utilisation * 1_000) / milliseconds;

/** Gigabytes a day of one copy, at a rate that lasts. */
const gigabytesADay = (rate: number, bytes: number): number => (rate * 86_400 * bytes) / 1e9;

const rates = [1_000, 10_000, 100_000] as const;
const number = (value: number) => value.toLocaleString('en', { maximumSignificantDigits: 2 });
const row = (...cells: readonly string[]) => `| ${cells.join(' | ')} |`;

/** The rows of docs/scaling.md that are computed. */
export function capacityRows(): readonly string[] {
  const all = { part: 'together', milliseconds: costsOfFetch.reduce((sum, cost) => sum + cost.milliseconds, 0) };
  const cores = [...costsOfFetch, { ...all, mostInstances: null }].map((cost) =>
    row(cost.part, cost.milliseconds.toFixed(2), ...rates.map((rate) => number(coresFor(rate, cost)))),
  );
  const instances = costsOfFetch
    .filter(({ mostInstances }) => mostInstances !== null)
    .map((cost) =>
      row(
        cost.part,
        ...rates.map((rate) => instancesFor(rate, cost).toLocaleString('en')),
        String(cost.mostInstances),
        number(endOf(cost)),
      ),
    );
  const disks = Object.entries({
    'event topics, one replica': bytesOfFetch.eventsForEver,
    'command topics, one replica, three days': 3 * bytesOfFetch.commandsForThreeDays,
    'PostgreSQL, one copy': bytesOfFetch.database,
  }).map(([what, bytes]) => row(what, ...rates.map((rate) => `${number(gigabytesADay(rate, bytes))} GB`)));
  return [...cores, ...instances, ...disks];
}
