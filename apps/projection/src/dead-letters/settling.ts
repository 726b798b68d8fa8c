import type { DeadLetterOutcome, DeadLetterStatus, Refusal } from '@paywright/contracts';
import type { OutgoingMessage } from '@paywright/messaging';
import type { Queryable } from '@paywright/read-model';
import { holdLetter, type Letter } from './letter.ts';
import { settleLetter } from './letter.sql.ts';

/** Who acts, and when, in milliseconds since the epoch. */
export interface Acting {
  readonly actor: string;
  readonly now: number;
}

/** What an action came to: what is told of the letter, and what is published; or why it was not done. */
export type Settled =
  { readonly outcome: DeadLetterOutcome; readonly publish: readonly OutgoingMessage[] } | { readonly refusal: Refusal };

export const refused = (code: Refusal['code'], message: string): { readonly refusal: Refusal } => ({
  refusal: { code, message },
});

/** A letter that somebody may act on, held until the transaction ends; else why nobody may. */
export async function holdOpen(
  transaction: Queryable,
  id: number,
): Promise<{ readonly letter: Letter } | { readonly refusal: Refusal }> {
  const letter = await holdLetter(transaction, id);
  if (letter === null) return unknownLetter;
  return refusalToActOn(letter) ?? { letter };
}

export const unknownLetter = refused('DEAD_LETTER_NOT_FOUND', 'deadLetterId names no dead letter.');

/** Why nothing may be done about it; null if something may. */
export function refusalToActOn({ id, error, status }: Letter): { readonly refusal: Refusal } | null {
  if (error === null)
    return refused('DEAD_LETTER_WAITS', `${id} only waits behind a dead letter of its key: act on that one.`);
  if (status === 'open') return null;
  return refused('DEAD_LETTER_SETTLED', `The dead letter was ${status} already; nothing is left to do.`);
}

export async function settle(
  transaction: Queryable,
  { seq }: Letter,
  status: DeadLetterStatus,
  { actor, now }: Acting,
  skippedVersion: number | null = null,
): Promise<void> {
  await transaction.query(settleLetter, [seq, status, new Date(now), actor, skippedVersion]);
}

/** The outcome of a letter that nothing waits behind. */
export const aloneOutcome = ({ id, attempts }: Letter, status: DeadLetterStatus): DeadLetterOutcome => ({
  id,
  status,
  reason: null,
  attempts,
  released: 0,
  parked: 0,
  nextDeadLetter: null,
  skippedVersion: null,
});
