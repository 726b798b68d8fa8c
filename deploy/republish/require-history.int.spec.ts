import { expect, it } from '@jest/globals';
import { testTopics } from '@paywright/testing';
import pg from 'pg';
import { migrate } from '../migrate/migrate.ts';
import { createScratchDatabase } from '../migrate/scratch-database.ts';
import { requireHistory } from './require-history.ts';

const anApp = `insert into catalog.event (stream, version, id, type, schema_version, time, data, meta)
  values ('app-1', 1, gen_random_uuid(), 'AppCreated', 1, now(), '{}', '{}')`;

it('refuses a Kafka that was never told of the apps in the database', async () => {
  await using database = await createScratchDatabase(process.env['TEST_DATABASE_URL']!);
  await using topics = await testTopics({ commands: 2, snapshots: 2 });
  await migrate(database.url);
  const told = [topics.nameOf('commands'), topics.nameOf('snapshots')];
  const check = () => requireHistory(topics.connection, database.url, told);

  await expect(check()).resolves.toBeUndefined(); // both are new
  await run(database.url, anApp);
  await expect(check()).rejects.toThrow('npm run republish');

  const producer = topics.connection.client.producer({ idempotent: false });
  await producer.connect();
  await producer.send({ topic: told[0]!, messages: [{ key: 'app-1', value: 'the command that made it' }] });
  await producer.disconnect();
  await expect(check()).resolves.toBeUndefined();
});

async function run(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(statement);
  await client.end();
}
