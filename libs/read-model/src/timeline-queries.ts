import { EventsReported } from '@paywright/contracts';
import { z } from 'zod';
import type { Queryable } from './database.ts';
import { ListCursors, timePosition, versionPosition, type Page, type PageRequest } from './page.ts';
import type { TimelineEntry } from './rows.ts';
import { selectTimeline, type EventRow } from './sql/select-timeline.sql.ts';
import { toUuid } from './uuid.ts';

/** Postgres refuses a text with a NUL. */
const servicePosition = z
  .string()
  .max(64)
  .refine((service) => !service.includes('\0'));

/** Time, service, stream, version; last an event's place in its batch. */
const Position = z.tuple([timePosition, servicePosition, z.uuid(), versionPosition, z.int().min(0)]);
type Position = z.output<typeof Position>;
const cursors = new ListCursors('timeline', Position);

/** What is known of a profile, in time: also the events of its purchases, and of those that it lost until then. */
export class TimelineQueries {
  readonly #database: Queryable;

  constructor(database: Queryable) {
    this.#database = database;
  }

  /**
   * The profile's events, newest first. A batch that a client reported is an entry for each of its events.
   * @throws InvalidCursor
   */
  async ofProfile(appId: number, profileId: string, { limit, cursor }: PageRequest): Promise<Page<TimelineEntry>> {
    const after = cursors.read(cursor);
    const id = toUuid(profileId);
    if (id === null) return { entries: [], nextCursor: null };
    const from = after ? [new Date(after[0]), after[1], after[2], after[3]] : [null, null, null, null];
    // One row more for the page's end, one for the batch that the cursor stands in.
    const values = [id, appId, ...from, limit + 2];
    const { rows } = await this.#database.query<EventRow>({ name: 'select-timeline', text: selectTimeline, values });
    const page = cursors.page(entriesBehind(after, rows, limit + 1), limit, ({ position }) => position);
    return { entries: page.entries.map(({ entry }) => entry), nextCursor: page.nextCursor };
  }
}

interface PositionedEntry {
  readonly position: Position;
  readonly entry: TimelineEntry;
}

/** The first entries of the rows, as many as that: a batch that a page does not reach is not parsed. */
function entriesBehind(after: Position | null, rows: readonly EventRow[], most: number): readonly PositionedEntry[] {
  const found: PositionedEntry[] = [];
  for (const row of rows) {
    if (found.length >= most) break;
    found.push(...toEntries(row).filter(({ position }) => after === null || isBehind(position, after)));
  }
  return found;
}

/** Newest first, so the last of a batch comes first. */
function toEntries({ id, type, time, service, stream, version, data }: EventRow): PositionedEntry[] {
  const body: unknown = JSON.parse(data);
  const at = time.getTime();
  const reported = type === EventsReported.type ? EventsReported.body.safeParse(body) : null;
  if (!reported?.success)
    return [{ position: [at, service, stream, version, 0], entry: { id, type, time: at, service, data: body } }];
  return reported.data.events
    .map((event, index): PositionedEntry => ({
      position: [at, service, stream, version, index],
      entry: { id: event.eventId, type: event.eventType, time: at, service, data: event },
    }))
    .reverse();
}

/** Whether an entry is older than the last one shown; the rows before it are left out by the query. */
const isBehind = (position: Position, last: Position): boolean =>
  position.slice(0, 4).some((part, index) => part !== last[index]) || position[4] < last[4];
