import { setTimeout as sleep } from 'node:timers/promises';
import { queryOnce } from '@paywright/deploy/migrate/scratch-database.ts';

/** Resolves when all that is in the log now is archived: what else would come with the next `archive_timeout`. */
export async function untilArchived(databaseUrl: string): Promise<void> {
  const [piece] = await queryOnce<{ name: string }>(databaseUrl, 'select pg_walfile_name(pg_switch_wal()) as name');
  const archived = 'select last_archived_wal as name from pg_stat_archiver';
  for (let attempt = 0; attempt < 300; attempt++) {
    const [last] = await queryOnce<{ name: string | null }>(databaseUrl, archived);
    if (last?.name && last.name >= (piece?.name ?? '')) return;
    await sleep(100);
  }
  throw new Error(`${piece?.name} was not archived within 30 s`);
}

/** Where the rebuilt read model (+) and the one before it (-) differ: tables, and a row of each; and how many were compared. */
export async function compareReadModels(databaseUrl: string) {
  const tables = await queryOnce<{ name: string }>(
    databaseUrl,
    `select tablename as name from pg_tables where schemaname = 'read_model' and tablename <> '_prisma_migrations'`,
  );
  // An event's JSON is kept as it was published, and the event store keeps no order of keys.
  const rowsOf = (table: string) =>
    table.endsWith('_event')
      ? `select to_jsonb(t) || jsonb_build_object('data', data::jsonb) from ${table} t`
      : `select t::text from ${table} t`;
  const different: string[] = [];
  let rows = 0;
  for (const { name } of tables) {
    const [live, former] = [`read_model.${name}`, `read_model_former.${name}`];
    const only = (one: string, other: string) =>
      `(select to_jsonb(row)::text from (${rowsOf(one)} except all ${rowsOf(other)}) as row order by 1 limit 1)`;
    const [found] = await queryOnce<{ rows: number; added: string | null; gone: string | null }>(
      databaseUrl,
      `select (select count(*)::int from ${live}) as rows, ${only(live, former)} as added, ${only(former, live)} as gone`,
    );
    rows += found?.rows ?? 0;
    const [added, gone] = [found?.added ?? null, found?.gone ?? null];
    if (added !== null || gone !== null) different.push(`${name} (+ ${added}, - ${gone})`);
  }
  return { tables: tables.length, rows, different };
}
