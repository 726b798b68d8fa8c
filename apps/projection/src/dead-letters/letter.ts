import { deadLetterStatuses, type DeadLetterStatus } from '@paywright/contracts';
import { InfrastructureFault } from '@paywright/messaging';
import type { Queryable } from '@paywright/read-model';
import { lockLetter, selectLetter } from './letter.sql.ts';

/** A dead letter as it is kept. `error` is null where the record only waits behind one. */
export interface Letter {
  readonly seq: string;
  readonly id: number;
  readonly group: string;
  readonly topic: string;
  readonly partition: number;
  readonly offset: string;
  readonly key: string | null;
  readonly appId: number | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly payload: Buffer | null;
  readonly blocks: boolean;
  readonly error: string | null;
  readonly attempts: number;
  readonly status: DeadLetterStatus;
}

interface LetterRow extends Omit<Letter, 'id' | 'group' | 'appId' | 'status'> {
  readonly consumer: string;
  readonly app_id: number | null;
  readonly status: string;
}

export const findLetter = (database: Queryable, id: number): Promise<Letter | null> =>
  select(database, selectLetter, id);

/** The same; nobody changes it before the transaction ends. */
export const holdLetter = (transaction: Queryable, id: number): Promise<Letter | null> =>
  select(transaction, lockLetter, id);

async function select(database: Queryable, text: string, id: number): Promise<Letter | null> {
  const { rows } = await database.query<LetterRow>(text, [id]);
  return rows[0] ? toLetter(rows[0]) : null;
}

function toLetter({ consumer, app_id, status: stored, ...row }: LetterRow): Letter {
  const status = deadLetterStatuses.find((known) => known === stored);
  // A newer version of this code may know more.
  if (!status) throw new InfrastructureFault(`Dead letter ${row.seq} has an unknown status.`);
  return { ...row, id: Number(row.seq), group: consumer, appId: app_id, status };
}
