import { CannotUnseal, Sealing, type MasterKeys } from '@paywright/platform';
import pg from 'pg';
import type { SealedColumn } from './sealed-columns.ts';

export interface Resealed {
  readonly table: string;
  /** Rows that a former key had sealed, and the newest has now. */
  readonly resealed: number;
  /** Rows that no key opens, or that were changed meanwhile. While there are any, no former key may go. */
  readonly left: number;
}

interface SealedRow {
  readonly first: string;
  readonly second: string;
  readonly sealed: string;
}

const pageSize = 500;

/** Seals with the newest key what former keys have sealed. Safe to run twice, and while the services work. */
export async function reseal(
  databaseUrl: string,
  { newest, former }: MasterKeys,
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
  const { schema, table, key } = column;
  const [first, second] = key;
  const select = `
    select ${first}::text as first, ${second}::text as second, sealed from ${schema}.${table}
    where $1::text is null or (${first}::text, ${second}::text) > ($1, $2)
    order by ${first}::text, ${second}::text limit ${pageSize}`;
  // A row that its owner has written meanwhile stays as it is.
  const update = `update ${schema}.${table} set sealed = $4
    where ${first}::text = $1 and ${second}::text = $2 and sealed = $3`;
  let resealed = 0;
  let left = 0;
  let last: SealedRow | undefined;
  do {
    const { rows }: { rows: SealedRow[] } = await client.query<SealedRow>(select, [last?.first, last?.second]);
    for (const row of rows) {
      const again = resealedText(sealing, row, column.separator);
      if (again === null) continue;
      const values = [row.first, row.second, row.sealed, again];
      if (again !== undefined && (await client.query(update, values)).rowCount === 1) resealed += 1;
      else left += 1;
    }
    last = rows.at(-1);
  } while (last !== undefined);
  return { table: `${schema}.${table}`, resealed, left };
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
