import type pg from 'pg';
import { deadLetterActions } from '../dead-letters/dead-letter-desk.ts';
import { discardFolded } from '../dead-letters/folded-letters.ts';
import { findLetter } from '../dead-letters/letter.ts';
import type { Projection } from '../following/projection.ts';
import {
  adoptLetters,
  carryAudit,
  carryEmptied,
  carryLetters,
  clearIds,
  giveIds,
  goOnWithIds,
  selectDiscards,
  selectGrants,
  selectNewLetters,
} from './carry-over.sql.ts';
import { requireReadOnce, requireSameMigrations } from './requirements.ts';
import { RebuildRefused } from './schemas.ts';

/**
 * Gives up in the next one what was given up in the one that is read, and folds in what waits behind it. It may be done more
 * than once.
 * @param connection in a transaction, its search path the next one's schema
 */
export async function discardAsBefore(connection: pg.Client, projections: readonly Projection[]): Promise<void> {
  // What only waited behind such a one may be the next one of its key.
  while (await discardsSome(connection, projections));
}

async function discardsSome(connection: pg.Client, projections: readonly Projection[]): Promise<boolean> {
  const { rows } = await connection.query<{ seq: string; settled_at: Date; settled_by: string }>(selectDiscards);
  let isSome = false;
  for (const { seq, settled_at: at, settled_by: actor } of rows) {
    const letter = await findLetter(connection, Number(seq));
    const projection = projections.find(({ topic }) => topic === letter?.topic);
    if (!letter || !projection) continue;
    const settled = await discardFolded(connection, projection, letter, { actor, now: at.getTime() });
    if ('outcome' in settled) isSome = true;
  }
  return isSome;
}

/**
 * Brings into the next one what is in no topic of events: dead letters with their ids, what people did about them, the guards
 * of people who were erased, and who may read.
 * @param connection in a transaction; nobody writes to either of the two before it ends
 * @throws RebuildRefused if the next one would show less
 */
export async function carryOver(connection: pg.Client, now: number): Promise<void> {
  await refuseToShowLess(connection);
  // Either may have been so since it was begun.
  await requireSameMigrations(connection);
  await requireReadOnce(connection);
  await connection.query(clearIds);
  await connection.query(adoptLetters);
  await connection.query(carryLetters, [new Date(now)]);
  await connection.query(goOnWithIds);
  await connection.query(giveIds);
  await connection.query(carryAudit, [deadLetterActions]);
  await guardErased(connection);
  const { rows } = await connection.query<{ statement: string }>(selectGrants);
  for (const { statement } of rows) await connection.query(statement);
}

/** Of who was erased no personal record of before is taken into the next one; so it holds none should it never go on. */
export const guardErased = (connection: pg.Client) => connection.query(carryEmptied);

/** Behind such a dead letter its key would go back to an older version. */
async function refuseToShowLess(connection: pg.Client): Promise<void> {
  const { rows } = await connection.query<NewLetter>(selectNewLetters);
  if (rows.length === 0) return;
  const letters = rows.map(({ topic, partition, offset, error }) => `  ${topic}/${partition}/${offset}: ${error}`);
  throw new RebuildRefused(
    [
      'The new read model cannot fold in what the present one shows, so nothing was switched:',
      ...letters,
      'Mend the projection, or migrations; then begin anew with --drop-next.',
    ].join('\n'),
  );
}

interface NewLetter {
  readonly topic: string;
  readonly partition: number;
  readonly offset: string;
  readonly error: string;
}
