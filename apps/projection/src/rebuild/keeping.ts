import type { KafkaConnection } from '@paywright/messaging';
import type pg from 'pg';
import { lockFolders } from './offsets.sql.ts';
import { readProgress } from './read-progress.ts';
import { transact } from './rebuild-connection.ts';
import { describeProgress } from './rebuild-progress.ts';
import { exists, isOfOtherCode } from './requirements.ts';
import { schemas } from './schemas.ts';

/** Drops the former read model, or one that was begun. Nobody reads these. @returns whether it was there */
export async function drop(connection: pg.Client, schema: typeof schemas.next | typeof schemas.former) {
  const found = await exists(connection, schema);
  if (!found) return false;
  await transact(connection, async () => {
    // Whoever folds begins there: else each of the two could wait for a table that the other one has.
    if (schema === schemas.next && (await isMade(connection))) await connection.query(lockFolders);
    await connection.query(`drop schema ${schema} cascade`);
  });
  return true;
}

const selectSize = `
  select pg_size_pretty(coalesce(sum(pg_total_relation_size(pg_class.oid)), 0)) as size
  from pg_class join pg_namespace on pg_namespace.oid = relnamespace
  where nspname = $1 and relkind = 'r'`;

/** A rebuild that was killed at its very start leaves a schema without what tells its progress. */
async function isMade(connection: Pick<pg.Client, 'query'>): Promise<boolean> {
  const { rows } = await connection.query<{ made: boolean }>('select to_regclass($1) is not null as made', [
    `${schemas.next}.projection_offset`,
  ]);
  return rows[0]?.made === true;
}

/** What there is beside the read model that is read, a line each. */
export async function describeStatus(connection: Pick<pg.Client, 'query'>, kafka: KafkaConnection): Promise<string[]> {
  const size = async (schema: string) =>
    (await connection.query<{ size: string }>(selectSize, [schema])).rows[0]?.size ?? '';
  const due = (await isOfOtherCode(connection)) ? '; made by another version: rebuild it' : '';
  const describeNext = async () => {
    if (!(await isMade(connection))) return `${schemas.next}: its tables are not all there yet: run the rebuild again`;
    const sample = { at: 0, ...(await readProgress(connection, kafka)) };
    return `${schemas.next}: ${await size(schemas.next)}, ${describeProgress([sample])}`;
  };
  const lines = [`${schemas.live}: ${await size(schemas.live)}, is read${due}`];
  if (await exists(connection, schemas.next)) lines.push(await describeNext());
  if (await exists(connection, schemas.former))
    lines.push(`${schemas.former}: ${await size(schemas.former)}, is kept until --drop-former`);
  return lines;
}
