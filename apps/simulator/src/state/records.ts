import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

export type RecordKind = 'app' | 'purchase' | 'setting' | 'keys';

/** Where a notification may be looked for. Times in milliseconds since the epoch. */
export interface NotificationSearch {
  readonly appId: number;
  readonly store: string;
  readonly environment: string;
  readonly from: number;
  readonly to: number;
  readonly limit: number;
  readonly offset: number;
}

/** What a record of a notification is found by. */
export interface NotificationKeys {
  readonly appId: number;
  readonly store: string;
  readonly environment: string;
  readonly writtenAt: number;
  readonly isSettled: boolean;
}

const schema = `
  pragma journal_mode = wal;
  pragma synchronous = normal;
  create table if not exists record (kind text, id text, body text not null, primary key (kind, id)) without rowid;
  create table if not exists notification (
    id text primary key, app_id integer not null, store text not null, environment text not null,
    written_at integer not null, is_settled integer not null, body text not null);
  create index if not exists notification_by_time on notification (app_id, store, environment, written_at, id);
  create index if not exists notification_open on notification (written_at) where is_settled = 0;
`;

/** JSON records in one file: written together, or not at all. */
export class Records {
  readonly #database: DatabaseSync;
  readonly #put;
  readonly #putNotification;

  /** @param folder made if it is not there */
  constructor(folder: string) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    this.#database = new DatabaseSync(join(folder, 'simulator.db'));
    this.#database.exec(schema);
    this.#put = this.#database.prepare(
      'insert into record (kind, id, body) values (?, ?, ?) on conflict (kind, id) do update set body = excluded.body',
    );
    this.#putNotification = this.#database.prepare(
      `insert into notification (id, app_id, store, environment, written_at, is_settled, body) values (?, ?, ?, ?, ?, ?, ?)
       on conflict (id) do update set is_settled = excluded.is_settled, body = excluded.body`,
    );
  }

  /** The bodies of all records of a kind, in the order of their ids. */
  all(kind: RecordKind): unknown[] {
    return bodiesOf(this.#database.prepare('select body from record where kind = ? order by id').all(kind));
  }

  /** Notifications that are still to be sent, oldest first. */
  openNotifications(): unknown[] {
    return bodiesOf(
      this.#database.prepare('select body from notification where is_settled = 0 order by written_at, id').all(),
    );
  }

  findNotifications({ appId, store, environment, from, to, limit, offset }: NotificationSearch): unknown[] {
    const found = this.#database.prepare(
      `select body from notification where app_id = ? and store = ? and environment = ? and written_at between ? and ?
       order by written_at, id limit ? offset ?`,
    );
    return bodiesOf(found.all(appId, store, environment, from, to, limit, offset));
  }

  forgetNotificationsBefore(time: number): void {
    this.#database.prepare('delete from notification where written_at < ? and is_settled = 1').run(time);
  }

  put(kind: RecordKind, id: string, body: object): void {
    this.#put.run(kind, id, JSON.stringify(body));
  }

  putNotification(
    id: string,
    { appId, store, environment, writtenAt, isSettled }: NotificationKeys,
    body: object,
  ): void {
    this.#putNotification.run(id, appId, store, environment, writtenAt, isSettled ? 1 : 0, JSON.stringify(body));
  }

  /** All that is put inside is kept, or none of it. */
  together(write: () => void): void {
    this.#database.exec('begin');
    try {
      write();
      this.#database.exec('commit');
    } catch (error) {
      this.#database.exec('rollback');
      throw error;
    }
  }

  close(): void {
    this.#database.close();
  }
}

const bodiesOf = (rows: readonly Record<string, unknown>[]): unknown[] =>
  rows.map(({ body }): unknown => JSON.parse(String(body)));
