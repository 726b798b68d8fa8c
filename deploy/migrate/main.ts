import { migrate } from './migrate.ts';

/** `node deploy/migrate/main.ts`: brings the database of DATABASE_URL up to date. */
const databaseUrl = process.env['DATABASE_URL'];
if (!databaseUrl) {
  console.error('DATABASE_URL is not set: postgres://user:password@host:port/database');
  process.exit(1);
}
for (const { schema, migration } of await migrate(databaseUrl)) console.log(`${schema}: applied ${migration}`);
