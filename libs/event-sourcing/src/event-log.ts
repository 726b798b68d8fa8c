import { PersonalFields, type PersonalRecord, type RecordedEvent } from '@paywright/contracts';
import type { Pool, QueryResultRow } from 'pg';
import { eventOf, type EventRow } from './event-row.ts';
import { allEvents } from './sql/all-events.sql.ts';
import { allPersonal } from './sql/all-personal.sql.ts';
import { allStreams } from './sql/all-streams.sql.ts';
import { newestEvent } from './sql/newest-event.sql.ts';
import { streamVersions, versionsOfStreams } from './sql/stream-versions.sql.ts';

const fields = PersonalFields.partial();

/** All that an event store holds, a page at a time, as it was when the reading began. */
export class EventLog {
  readonly #pool: Pool;
  readonly #pageSize: number;

  /**
   * @param pool its search path names the schema, and its statements may take as long as sorting all events does
   * @param pageSize how many rows are in memory at once, however long they are
   */
  constructor(pool: Pool, pageSize = 1_000) {
    this.#pool = pool;
    this.#pageSize = pageSize;
  }

  /** Events about in the order in which they were appended; those of a stream exactly so. */
  async *events(): AsyncGenerator<readonly RecordedEvent[]> {
    for await (const rows of this.#pages<EventRow>(allEvents)) yield rows.map(eventOf);
  }

  /** Events one stream after the other; a stream may begin on one page and end on another. */
  async *streams(): AsyncGenerator<readonly RecordedEvent[]> {
    for await (const rows of this.#pages<EventRow>(allStreams)) yield rows.map(eventOf);
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
    for await (const rows of this.#pages<PersonalRow>(allPersonal))
      yield rows.map(({ stream, version, app_id: appId, fields: kept }) => ({
        appId,
        profileId: stream,
        version,
        fields: fields.parse(kept),
      }));
  }

  async *#pages<Row extends QueryResultRow>(text: string): AsyncGenerator<readonly Row[]> {
    const client = await this.#pool.connect();
    try {
      await client.query('BEGIN READ ONLY');
      await client.query(`DECLARE log NO SCROLL CURSOR FOR ${text}`);
      for (;;) {
        const { rows } = await client.query<Row>(`FETCH ${this.#pageSize} FROM log`);
        if (rows.length === 0) return;
        yield rows;
      }
    } finally {
      client.release(true); // with it ends the transaction
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
