import type { RecordedEvent } from '@paywright/contracts';

/** Turns the body of a stored event of this type and version into that of the next version. */
export interface Upcaster {
  readonly type: string;
  readonly version: number;
  readonly upcast: (body: unknown) => unknown;
}

/**
 * A function that gives a stored event its newest shape, one version after the other.
 * @throws what an upcaster throws; Error if two upcasters claim one version
 */
export function upcasting(upcasters: readonly Upcaster[]): (event: RecordedEvent) => RecordedEvent {
  if (upcasters.length === 0) return (event) => event;
  const known = new Map(upcasters.map((upcaster) => [`${upcaster.type}:${upcaster.version}`, upcaster]));
  if (known.size < upcasters.length) throw new Error('two upcasters of one event type and version');
  return (event) => {
    let newest = event;
    for (;;) {
      const upcaster = known.get(`${newest.type}:${newest.version}`);
      if (!upcaster) return newest;
      newest = { ...newest, version: newest.version + 1, body: upcaster.upcast(newest.body) };
    }
  };
}
