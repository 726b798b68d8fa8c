import { CannotUnseal, Sealing, type MasterKeys } from '@paywright/platform';
import pg from 'pg';
import type { SealedColumn } from './sealed-columns.ts';
import { selectPage, updatePage, type SealedRow } from './statements.ts';

export interface Resealed {
  readonly table: string;
  /** Rows that a former key had sealed, and the newest has now. */
  readonly resealed: number;
  /** Rows that no key opens, or that were changed meanwhile. While there are any, no former key may go. */
  readonly left: number;
}

const pageSize = 500;

/** Seals with the newest key what former keys have sealed. Safe to run twice, and while the services work. */
export async function reseal(
  databaseUrl: string,
  { newest, former }: Pick<MasterKeys, 'newest' | 'former'>,
  columns: readonly SealedColumn[],
): Promise<readonly Resealed[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const done: Resealed[] = [];
    for (const column of columns)
      done.push(await resealColumn(client, column, new Sealing(newest, column.purpose, former)));
    return done;
  } finally {
    await client.end();
  }
}

async function resealColumn(client: pg.Client, column: SealedColumn, sealing: Sealing): Promise<Resealed> {
  let resealed = 0;
  let left = 0;
  let last: SealedRow | undefined;
  do {
    const behind = last === undefined ? [] : [last.first, last.second];
    const select = selectPage(column, pageSize, last === undefined);
    const { rows }: { rows: SealedRow[] } = await client.query<SealedRow>(select, behind);
    const toSeal = rows
      .map((row) => ({ ...row, again: resealedText(sealing, row, column.separator) }))
      .filter(({ again }) => again !== null);
    const opened = toSeal.filter(({ again }) => again !== undefined);
    const page = (['first', 'second', 'sealed', 'again'] as const).map((name) => opened.map((row) => row[name]));
    const written = opened.length === 0 ? 0 : (await client.query(updatePage(column), page)).rowCount!;
    resealed += written;
    left += toSeal.length - written;
    last = rows.at(-1);
  } while (last !== undefined);
  return { table: `${column.schema}.${column.table}`, resealed, left };
}

/** Null: it is sealed with the newest key; undefined: no key opens it. */
function resealedText(sealing: Sealing, { first, second, sealed }: SealedRow, separator: string) {
  try {
    return sealing.resealed(sealed, `${first}${separator}${second}`);
  } catch (error) {
    if (error instanceof CannotUnseal) return undefined;
    throw error;
  }
}
