import { queryOnce } from '@paywright/deploy/migrate/scratch-database.ts';
import { cloneStatements, forgetTemplates, grownTables, indexStatements, keepTemplates } from './clone-profiles.sql.ts';

const clonesAtOnce = 50;

/**
 * Gives each template as many clones as are missing. The tables have no index meanwhile: into one of many profiles, rows in
 * no order would be written a page each.
 * @param former the clones that each has
 * @param wanted the clones that each is to have
 */
export async function grow(
  database: string,
  templates: readonly string[],
  [former, wanted]: readonly [number, number],
  say: (line: string) => void,
): Promise<void> {
  await queryOnce(database, keepTemplates(templates));
  const indexes = await queryOnce(database, indexStatements, [grownTables]);
  for (const { remove } of indexes) await queryOnce(database, String(remove));
  for (let first = former + 1; first <= wanted; first += clonesAtOnce) {
    const last = Math.min(wanted, first + clonesAtOnce - 1);
    for (const statement of cloneStatements) await queryOnce(database, statement, [first, last]);
    say(`  ${((last + 1) * templates.length).toLocaleString('en')} profiles …`);
  }
  say('  indexes …');
  for (const { restore } of indexes) await queryOnce(database, `set maintenance_work_mem = '1GB'; ${String(restore)}`);
  await queryOnce(database, forgetTemplates);
  await freshen(database);
}

/** What would have happened all along, had the profiles come one after the other. */
async function freshen(database: string): Promise<void> {
  await queryOnce(database, `vacuum (analyze) ${grownTables.join(', ')}`);
  await queryOnce(database, 'checkpoint');
}
