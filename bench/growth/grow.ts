import { queryOnce } from '@paywright/deploy/migrate/scratch-database.ts';
import { cloneStatements } from './clone-profiles.sql.ts';

const clonesAtOnce = 20;
const grown = ['profile', 'selection', 'read_model'];

/**
 * Gives each template as many clones as are missing.
 * @param former the clones that each has
 * @param wanted the clones that each is to have
 */
export async function grow(
  database: string,
  templates: readonly string[],
  [former, wanted]: readonly [number, number],
  say: (line: string) => void,
): Promise<void> {
  for (let first = former + 1; first <= wanted; first += clonesAtOnce) {
    const last = Math.min(wanted, first + clonesAtOnce - 1);
    for (const statement of cloneStatements) await queryOnce(database, statement, [templates, first, last]);
    say(`  ${((last + 1) * templates.length).toLocaleString('en')} profiles …`);
  }
  await freshen(database);
}

/** What would have happened all along, had the profiles come one after the other. */
async function freshen(database: string): Promise<void> {
  const tables = await queryOnce(
    database,
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = any($1)`,
    [grown],
  );
  await queryOnce(database, `vacuum (analyze) ${tables.map(({ name }) => String(name)).join(', ')}`);
  await queryOnce(database, 'checkpoint');
}
