import type { AnyEventDefinition, RecordedEvent } from '@paywright/contracts';

/** Turns the body of a stored event of this type and version into that of the version that the code knows. */
export interface Upcaster {
  readonly type: string;
  readonly version: number;
  /** The version that the code knows. */
  readonly to: number;
  readonly upcast: (body: unknown) => unknown;
}

/** For every other version that the definitions know how to read. */
export const upcastersOf = (definitions: readonly AnyEventDefinition[]): readonly Upcaster[] =>
  definitions.flatMap(({ type, version: to, others }) =>
    others.map(({ version, read }) => ({ type, version, to, upcast: read })),
  );

/**
 * A function that gives a stored event the shape that the code knows.
 * @throws what an upcaster throws; Error if two upcasters claim one version
 */
export function upcasting(upcasters: readonly Upcaster[]): (event: RecordedEvent) => RecordedEvent {
  if (upcasters.length === 0) return (event) => event;
  const known = new Map(upcasters.map((upcaster) => [`${upcaster.type}:${upcaster.version}`, upcaster]));
  if (known.size < upcasters.length) throw new Error('two upcasters of one event type and version');
  return (event) => {
    const upcaster = known.get(`${event.type}:${event.version}`);
    return upcaster ? { ...event, version: upcaster.to, body: upcaster.upcast(event.body) } : event;
  };
}
