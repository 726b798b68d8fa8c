import { PersonalFields, type PersonalRecord, type RecordedEvent } from '@paywright/contracts';
import type { Pool, QueryConfig, QueryResultRow } from 'pg';
import { eventOf, type EventRow } from './event-row.ts';
import { rowsByBytes } from './rows-by-bytes.ts';
import { allEvents, allEventsSettings } from './sql/all-events.sql.ts';
import { allPersonal } from './sql/all-personal.sql.ts';
import { eventsOfStreams } from './sql/events-of-streams.sql.ts';
import { newestEvent } from './sql/newest-event.sql.ts';
import { streamVersions, versionsOfStreams } from './sql/stream-versions.sql.ts';

const fields = PersonalFields.partial();

const mebibyte = 1024 * 1024;

/** All that an event store holds, a page at a time, as it was when the reading began. */
export class EventLog {
  readonly #pool: Pool;
  readonly #pageBytes: number;

  /**
   * @param pool its search path names the schema. To read all, its statements may take as long as they take: `patienceMs`
   *   is null, since pg also keeps all rows of a statement whose time is limited
   * @param pageBytes after how many bytes a page ends. While one is worked on another is read: both are in memory, with
   *   the row that ends each
   */
  constructor(pool: Pool, pageBytes = 4 * mebibyte) {
    this.#pool = pool;
    this.#pageBytes = pageBytes;
  }

  /** How many events there are; of billions it takes minutes. */
  async count(): Promise<number> {
    const { rows } = await this.#pool.query<{ count: string }>('SELECT count(*) FROM event');
    return Number(rows[0]!.count);
  }

  /** Events about in the order in which they were appended; those of a stream exactly so. */
  async *events(): AsyncGenerator<readonly RecordedEvent[]> {
    for await (const rows of this.#pages<EventRow>({ text: allEvents }, allEventsSettings)) yield rows.map(eventOf);
  }

  /** Events of these streams, one stream after the other; a stream may begin on one page and end on another. */
  async *streams(names: readonly string[]): AsyncGenerator<readonly RecordedEvent[]> {
    const statement = { text: eventsOfStreams, values: [names] };
    for await (const rows of this.#pages<EventRow>(statement)) yield rows.map(eventOf);
  }

  /** The newest version of every stream: for stores of few streams. */
  async versions(): Promise<ReadonlyMap<string, number>> {
    const { rows } = await this.#pool.query<VersionRow>(streamVersions);
    return versionsIn(rows);
  }

  /** The newest version of each of these streams that has events. */
  async versionsOf(streams: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const { rows } = await this.#pool.query<VersionRow>(versionsOfStreams, [streams]);
    return versionsIn(rows);
  }

  /** The last event of a stream; null if it has none. */
  async newestOf(stream: string): Promise<RecordedEvent | null> {
    const { rows } = await this.#pool.query<EventRow>(newestEvent, [stream]);
    return rows[0] ? eventOf(rows[0]) : null;
  }

  /** The newest personal fields of each stream that ever had some; of an erased person none. */
  async *personal(): AsyncGenerator<readonly PersonalRecord[]> {
    for await (const rows of this.#pages<PersonalRow>({ text: allPersonal }))
      yield rows.map(({ stream, version, app_id: appId, fields: kept }) => ({
        appId,
        profileId: stream,
        version,
        fields: fields.parse(kept),
      }));
  }

  async *#pages<Row extends QueryResultRow>(statement: QueryConfig, settings?: string): AsyncGenerator<readonly Row[]> {
    if (this.#pool.options.query_timeout) throw new TypeError('the time of its statements is limited');
    const client = await this.#pool.connect();
    try {
      if (settings) await client.query(settings);
      yield* rowsByBytes<Row>(client, statement, this.#pageBytes);
    } finally {
      client.release(true);
    }
  }
}

interface VersionRow {
  readonly stream: string;
  readonly version: number;
}

const versionsIn = (rows: readonly VersionRow[]): ReadonlyMap<string, number> =>
  new Map(rows.map(({ stream, version }) => [stream, version]));

interface PersonalRow {
  readonly stream: string;
  readonly version: number;
  readonly app_id: number;
  readonly fields: unknown;
}
