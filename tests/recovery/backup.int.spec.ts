import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { loadSecrets } from '@paywright/deploy/local/secrets.ts';
import { Installation } from './installation.ts';

let installation: Installation;
let database: Awaited<ReturnType<Installation['startDatabase']>>;
let servers: { readonly DATABASE_URL: string; readonly KAFKA_BROKERS: string };
beforeAll(async () => {
  installation = new Installation();
  loadSecrets(installation.dataDir);
  await installation.makeDatabase();
  await installation.run('archive_mode = on');
  database = await installation.startDatabase();
  servers = { DATABASE_URL: database.url, KAFKA_BROKERS: '127.0.0.1:9' };
});
afterAll(async () => {
  await database?.stop();
  installation?.remove();
});

/** The files of a folder and of those in it that others than their owner may read or write. */
const openFiles = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => {
    const file = statSync(join(folder, name));
    return file.isFile() && (file.mode & 0o077) !== 0;
  });

it('copies what only its owner may read, and the secrets to another place than the database', async () => {
  await installation.run('base-backup.ts', servers);
  await installation.run('tar -cSpf');
  expect(readdirSync(installation.backupDir).sort()).toEqual(['base.tar', 'cold.tar', 'log']);
  expect(openFiles(installation.backupDir)).toEqual([]);
  expect(readdirSync(installation.secretsDir).sort()).toEqual(['postgres.password', 'secrets.json']);
  expect(openFiles(installation.secretsDir)).toEqual([]);
  const cold = await installation.runCommands('tar -tf "$BACKUP/cold.tar"');
  expect(cold).toContain('./postgres/PG_VERSION\n');
  expect(cold).not.toContain('secrets.json');
});
