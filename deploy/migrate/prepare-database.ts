import { requireFilledTopics } from '@paywright/event-sourcing';
import pg from 'pg';
import { migrate, type AppliedMigration } from './migrate.ts';

/**
 * Brings the database up to date, for services that start then.
 * @throws UnfinishedRepublish, before anything is changed, if they must not
 */
export async function prepareDatabase(databaseUrl: string): Promise<readonly AppliedMigration[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await requireFilledTopics(client);
  } finally {
    await client.end();
  }
  return migrate(databaseUrl);
}
