import { PersonalFields, type RecordedEvent } from '@paywright/contracts';
import type { Pool } from 'pg';
import { appendParameters, stateParameters, together } from './append-parameters.ts';
import {
  type Append,
  type CommandPlace,
  EventStore,
  isConflict,
  isRejection,
  type PersonalFieldsKept,
  type StoredOutcome,
  type StoredStream,
} from './event-store.ts';
import { eventOf, type EventRow } from './event-row.ts';
import { gathering } from './gathering.ts';
import { query } from './postgres-query.ts';
import { ServerConnections } from './server-connections.ts';
import { appendWithState } from './sql/append-with-state.sql.ts';
import { append } from './sql/append.sql.ts';
import { eventsAfter } from './sql/events-after.sql.ts';
import { findOutcomes } from './sql/find-outcomes.sql.ts';
import { findPersonal } from './sql/find-personal.sql.ts';
import { forgetCommands } from './sql/forget-commands.sql.ts';
import { hasEvent } from './sql/has-event.sql.ts';
import { loadStreams } from './sql/load-streams.sql.ts';

const statements = {
  append: { name: 'append', text: append },
  appendWithState: { name: 'append-with-state', text: appendWithState },
  findOutcomes: { name: 'find-outcomes', text: findOutcomes },
  findPersonal: { name: 'find-personal', text: findPersonal },
  eventsAfter: { name: 'events-after', text: eventsAfter },
  hasEvent: { name: 'has-event', text: hasEvent },
  loadStreams: { name: 'load-streams', text: loadStreams },
};

type StreamRow =
  (EventRow & { readonly code: null }) | (Pick<EventRow, 'stream' | 'version' | 'data'> & { readonly code: string });
interface PersonalRow {
  readonly stream: string;
  readonly version: number;
  readonly fields: unknown;
}
type OutcomeRow = (EventRow | { readonly id: null }) & {
  readonly command_id: string;
  readonly reply: string;
  readonly personal_version: number | null;
  readonly personal_fields: unknown;
};

/** Rows or streams a statement: more would make all wait for all, and leave the process idle meanwhile. */
const groupRows = 1_000;

/** For the pool: the statements have one good plan, and making another costs as much as the work. */
export const eventStoreSettings = { plan_cache_mode: 'force_generic_plan' } as const;

/** Streams in the Postgres schema that the pool's search path names (prisma/event-store). */
export class PostgresEventStore extends EventStore {
  readonly #pool: Pool;
  readonly #connections: ServerConnections;
  readonly #appendTogether: (part: Append) => Promise<Appended>;
  /** By snapshot code and number of events: a service has one of each. */
  readonly #loadTogether = new Map<string, (streams: readonly string[]) => Promise<Loaded>>();

  /** @param onOtherServer called when the pool reaches another server than before, or one that has started over */
  constructor(pool: Pool, onOtherServer: () => void = () => undefined) {
    super();
    this.#pool = pool;
    this.#connections = new ServerConnections(pool, onOtherServer);
    this.#appendTogether = gathering((parts) => this.#appendGroup(parts), groupRows, rowsOf);
  }

  override get epoch(): number {
    return this.#connections.epoch;
  }

  override async append(part: Append): Promise<ReadonlyMap<string, PersonalFieldsKept>> {
    const appended = await this.#appendTogether(part);
    if ('error' in appended) throw appended.error;
    return appended.personal;
  }

  override load(streams: readonly string[], snapshotCode: string | null, most?: number) {
    const way = `${snapshotCode ?? ''} ${most ?? ''}`;
    let together = this.#loadTogether.get(way);
    if (!together) {
      together = gathering(
        (parts) => this.#loadGroup(parts, snapshotCode, most),
        groupRows,
        ({ length }) => length,
      );
      this.#loadTogether.set(way, together);
    }
    return together(streams);
  }

  override async findOutcomes(commands: readonly CommandPlace[]) {
    const rows = await query<OutcomeRow>(this.#connections, statements.findOutcomes, [
      commands.map(({ commandId }) => commandId),
      commands.map(({ stream }) => stream),
    ]);
    const outcomes = new Map<string, StoredOutcome & { events: RecordedEvent[] }>();
    for (const row of rows) {
      const { command_id: commandId, reply, personal_version: version, personal_fields: fields } = row;
      let found = outcomes.get(commandId);
      if (!found) {
        const personal = version === null ? null : personalOf({ version, fields });
        outcomes.set(commandId, (found = { reply, events: [], personal }));
      }
      if (row.id !== null) found.events.push(eventOf(row));
    }
    return outcomes;
  }

  override async eventsAfter(stream: string, version: number, most: number) {
    return (await query<EventRow>(this.#connections, statements.eventsAfter, [stream, version, most])).map(eventOf);
  }

  override async findPersonal(streams: readonly string[]) {
    return personalByStream(await query<PersonalRow>(this.#connections, statements.findPersonal, [streams]));
  }

  override async hasEvent(stream: string, id: string): Promise<boolean> {
    return (await query(this.#connections, statements.hasEvent, [stream, id])).length > 0;
  }

  override async forgetCommandsOlderThan(ms: number): Promise<number> {
    const { rowCount } = await this.#pool.query(forgetCommands, [ms]);
    return rowCount ?? 0;
  }

  async #loadGroup(
    parts: readonly (readonly string[])[],
    snapshotCode: string | null,
    most: number | null = null,
  ): Promise<readonly Loaded[]> {
    const streams = [...new Set(parts.flat())];
    const rows = await query<StreamRow>(this.#connections, statements.loadStreams, [streams, snapshotCode, most]);
    const stored = new Map<string, { snapshot: StoredStream['snapshot']; events: RecordedEvent[] }>();
    for (const row of rows) {
      const { stream, version, code, data: state } = row;
      let found = stored.get(stream);
      if (!found) stored.set(stream, (found = { snapshot: null, events: [] }));
      if (code === null) found.events.push(eventOf(row));
      else found.snapshot = { stream, version, code, state };
    }
    return parts.map(() => stored);
  }

  /** One transaction for the batches of many partitions; if one of them spoils it, one for each. */
  async #appendGroup(parts: readonly Append[]): Promise<readonly Appended[]> {
    try {
      const personal = await this.#appendAll(together(parts));
      return parts.map(() => ({ personal }));
    } catch (error) {
      if (parts.length === 1 || !(isConflict(error) || isRejection(error))) return parts.map(() => ({ error }));
      const appended: Appended[] = [];
      for (const part of parts) appended.push(...(await this.#appendGroup([part])));
      return appended;
    }
  }

  async #appendAll(all: Append): Promise<ReadonlyMap<string, PersonalFieldsKept>> {
    const isWanted = () => all.epoch === undefined || all.epoch === this.epoch;
    const plain = all.personal.length === 0 && all.snapshots.length === 0;
    const rows = plain
      ? await query<PersonalRow>(this.#connections, statements.append, appendParameters(all), isWanted)
      : await query<PersonalRow>(
          this.#connections,
          statements.appendWithState,
          [...appendParameters(all), ...stateParameters(all)],
          isWanted,
        );
    return personalByStream(rows);
  }
}

type Loaded = ReadonlyMap<string, StoredStream>;
type Appended = { readonly personal: ReadonlyMap<string, PersonalFieldsKept> } | { readonly error: unknown };

const rowsOf = ({ inbox, events }: Append): number => inbox.length + events.length;

const fieldsSchema = PersonalFields.partial();

const personalByStream = (rows: readonly PersonalRow[]): ReadonlyMap<string, PersonalFieldsKept> =>
  new Map(rows.map((row) => [row.stream, personalOf(row)]));

const personalOf = ({ version, fields }: Pick<PersonalRow, 'version' | 'fields'>): PersonalFieldsKept => ({
  version,
  fields: fieldsSchema.parse(fields),
});
