/** An event as a store, a topic record, or a row of the read model holds it. */
export interface KnownEvent {
  readonly id: string;
  readonly service: string;
  readonly stream: string;
  readonly version: number;
  readonly type: string;
  readonly body: Record<string, unknown>;
}

/** Everything that can be seen of the product from outside, once it is at rest. */
export interface Observation {
  /** The write services' event tables. */
  readonly stored: readonly KnownEvent[];
  /** The events topics, every record, in the order of their partitions. */
  readonly published: readonly KnownEvent[];
  /** The read model's events about profiles. */
  readonly projected: readonly KnownEvent[];
  readonly profiles: ReadonlyMap<string, { version: number; custom: readonly { key: string; value: string }[] }>;
  /** The streams of the profiles that the profile service stores of a customer, by `customerUserId`. */
  readonly customers: ReadonlyMap<string, readonly string[]>;
  /** `profileId/paywallId`. */
  readonly uniqueImpressions: readonly string[];
}

export const streamOf = ({ service, stream }: KnownEvent) => `${service}/${stream}`;

/** The events in log order, without those that are not newer than one before. */
export function withoutRepeats(events: readonly KnownEvent[]): readonly KnownEvent[] {
  let newest = 0;
  return events.filter(({ version }) => version > newest && (newest = version) > 0);
}

export function countBy(values: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}
