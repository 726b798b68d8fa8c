import { randomBytes } from 'node:crypto';
import pg from 'pg';

/** A database of its own on a server, dropped when disposed of. */
export interface ScratchDatabase extends AsyncDisposable {
  readonly url: string;
  readonly name: string;
  query(sql: string, values?: readonly unknown[]): Promise<readonly Record<string, unknown>[]>;
}

/**
 * Creates a database with a name that no one else has.
 * @param serverUrl any database of a server whose user may create databases
 * @param template copied if given; nobody may be connected to it then
 */
export async function createScratchDatabase(serverUrl: string, template?: string): Promise<ScratchDatabase> {
  const name = `scratch_${randomBytes(8).toString('hex')}`;
  const from = template === undefined ? '' : ` template ${pg.escapeIdentifier(template)}`;
  await queryOnce(serverUrl, `create database ${name}${from}`);
  const url = withDatabase(serverUrl, name);
  return {
    url,
    name,
    query: (sql, values) => queryOnce(url, sql, values),
    [Symbol.asyncDispose]: async () => void (await queryOnce(serverUrl, `drop database ${name} with (force)`)),
  };
}

/** The same server and user, another database. */
export function withDatabase(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

/** Runs one statement over a connection of its own. */
export async function queryOnce<Row extends pg.QueryResultRow = Record<string, unknown>>(
  url: string,
  sql: string,
  values: readonly unknown[] = [],
): Promise<readonly Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<Row>(sql, [...values]);
    return rows;
  } finally {
    await client.end();
  }
}
