import { databaseConfig, loadConfig } from '@paywright/platform';
import { z } from 'zod';
import { createTopicsOfManifest } from './create-topics.ts';
import { migrate } from './migrate/migrate.ts';

/** The job that runs before the services of a new version: migrates the database, creates missing topics. */
const { DATABASE_URL } = loadConfig(z.object(databaseConfig), process.env);
const [migrations, topics] = await Promise.all([migrate(DATABASE_URL), createTopicsOfManifest(process.env)]);
for (const { schema, migration } of migrations) console.log(`${schema}: applied ${migration}`);
for (const topic of topics.created) console.log(`created topic ${topic}`);
for (const difference of topics.differences) console.warn(difference);
console.log('Database and topics are ready.');
