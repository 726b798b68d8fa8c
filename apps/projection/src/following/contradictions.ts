import type { Queryable } from '@paywright/read-model';
import type { Placed } from './sift.ts';

/** Tells of events that are not shown, since others are as these versions of their streams. */
export type TellContradictions = (topic: string, events: readonly Placed[]) => void;

/** The events that the rows show at these places; one that they do not show is absent. */
export type EventsAt = (database: Queryable, places: readonly Placed[]) => Promise<readonly Placed[]>;

/**
 * Of events whose versions are known, those that are no repeats: a repeat has the id that it had. Their event store has lost
 * the versions that it told of, and has given them again.
 * @param applied with them
 */
export async function findContradictions<Entry extends Placed>(
  database: Queryable,
  known: readonly Entry[],
  applied: readonly Entry[],
  eventsAt: EventsAt,
): Promise<readonly Entry[]> {
  if (known.length === 0) return [];
  const shown = [...applied, ...(await eventsAt(database, known))];
  const ids = new Map(shown.map((event) => [placeOf(event), event.id]));
  return known.filter((event) => (ids.get(placeOf(event)) ?? event.id) !== event.id);
}

const placeOf = ({ stream, streamVersion }: Placed): string => `${stream} ${streamVersion}`;
