import type { DeadLetterStatus } from '@paywright/contracts';
import { z } from 'zod';
import type { Queryable } from './database.ts';
import { ListCursors, type Page, type PageRequest } from './page.ts';
import {
  selectDeadLetter,
  selectDeadLetterActions,
  selectDeadLetters,
  selectParkedKeys,
} from './sql/select-dead-letters.sql.ts';
import {
  toDeadLetterRow,
  toParkedKeyRow,
  type DeadLetterAction,
  type DeadLetterRow,
  type ParkedKeyRow,
  type SelectedLetter,
  type SelectedParkedKey,
} from './dead-letter-rows.ts';

/** Which dead letters are wanted; what is absent is not asked for. */
export interface DeadLetterFilter {
  readonly group?: string | undefined;
  readonly topic?: string | undefined;
  readonly appId?: number | undefined;
  readonly status?: DeadLetterStatus | undefined;
}

/** A dead letter in full. */
export interface DeadLetterInFull extends DeadLetterRow {
  readonly headers: Readonly<Record<string, string>>;
  /** Null where none is kept, or it is longer than 64 KiB. */
  readonly payload: Buffer | null;
  readonly payloadLength: number | null;
  /** Records that wait behind it. */
  readonly parked: number;
  /** Oldest first. */
  readonly actions: readonly DeadLetterAction[];
}

const longestPayload = 64 * 1024;
/** The app under which the audit keeps what is of none. */
const noApp = 0;
const seqPosition = z.int().min(1);
const letterCursors = new ListCursors('dead-letters', seqPosition);
const parkedCursors = new ListCursors('parked-keys', seqPosition);

/** What could not be handled, and what waits behind it. */
export class DeadLetterQueries {
  readonly #database: Queryable;

  constructor(database: Queryable) {
    this.#database = database;
  }

  /**
   * Newest first.
   * @throws InvalidCursor
   */
  async list(
    { group, topic, appId, status }: DeadLetterFilter,
    { limit, cursor }: PageRequest,
  ): Promise<Page<DeadLetterRow>> {
    const before = letterCursors.read(cursor);
    const wanted = [group ?? null, topic ?? null, appId ?? null, status ?? null];
    const { rows } = await this.#database.query<SelectedLetter>(selectDeadLetters, [...wanted, before, limit + 1]);
    return letterCursors.page(rows.map(toDeadLetterRow), limit, ({ id }) => id);
  }

  async find(id: number): Promise<DeadLetterInFull | null> {
    const { rows } = await this.#database.query<SelectedInFull>(selectDeadLetter, [id, longestPayload]);
    const [row] = rows;
    if (row === undefined) return null;
    const { headers, payload, payload_length: payloadLength, parked } = row;
    const actions = await this.#actions(row.app_id, id);
    return { ...toDeadLetterRow(row), headers, payload, payloadLength, parked, actions };
  }

  /**
   * Keys of the projection that records wait behind, the last one to stop first.
   * @throws InvalidCursor
   */
  async parked(
    { group, topic }: Pick<DeadLetterFilter, 'group' | 'topic'>,
    { limit, cursor }: PageRequest,
  ): Promise<Page<ParkedKeyRow>> {
    const before = parkedCursors.read(cursor);
    const values = [group ?? null, topic ?? null, before, limit + 1];
    const { rows } = await this.#database.query<SelectedParkedKey>(selectParkedKeys, values);
    return parkedCursors.page(rows.map(toParkedKeyRow), limit, ({ deadLetterId }) => deadLetterId);
  }

  async #actions(appId: number | null, id: number): Promise<readonly DeadLetterAction[]> {
    const { rows } = await this.#database.query<SelectedAction>(selectDeadLetterActions, [appId ?? noApp, id]);
    return rows.map(({ time, actor, action, after }) => ({ time: time.getTime(), actor, action, outcome: after }));
  }
}

interface SelectedInFull extends SelectedLetter {
  headers: Record<string, string>;
  payload: Buffer | null;
  payload_length: number | null;
  parked: number;
}

interface SelectedAction {
  time: Date;
  actor: string;
  action: string;
  after: unknown;
}
