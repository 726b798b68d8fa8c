import type pg from 'pg';
import type { Table } from './read-model.ts';

/** Has each transaction that writes rows of a table note, as the last it does, whether its commit waits for the disk. */
export async function noteCommits(pool: pg.Pool, table: Table | 'dead_letter'): Promise<void> {
  await pool.query(`
    create table commit_of_${table} (waits_for_disk text);
    create function note_commit_of_${table}() returns trigger language plpgsql as $$
      begin insert into commit_of_${table} values (current_setting('synchronous_commit')); return null; end $$;
    create constraint trigger note_commit after insert on ${table} deferrable initially deferred
      for each row execute function note_commit_of_${table}()`);
}

/** Of each row that was written since, the setting that its commit had. */
export async function notedCommits(pool: pg.Pool, table: Table | 'dead_letter'): Promise<readonly string[]> {
  const { rows } = await pool.query<{ waits_for_disk: string }>(`select waits_for_disk from commit_of_${table}`);
  return rows.map(({ waits_for_disk }) => waits_for_disk);
}
