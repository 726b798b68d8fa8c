import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { loadSecrets } from '@paywright/deploy/local/secrets.ts';
import pg from 'pg';
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
  await installation.run('npm run --silent backup', servers);
  await installation.run('tar -cSpf');
  expect(readdirSync(installation.backupDir).sort()).toEqual(['base.tar', 'cold.tar', 'log']);
  expect(openFiles(installation.backupDir)).toEqual([]);
  expect(readdirSync(installation.secretsDir).sort()).toEqual(['postgres.password', 'secrets.json']);
  expect(openFiles(installation.secretsDir)).toEqual([]);
  const cold = await installation.runCommands('tar -tf "$BACKUP/cold.tar"');
  expect(cold).toContain('./postgres/PG_VERSION\n');
  expect(cold).not.toContain('secrets.json');
});

it('archives a piece of the log that it has archived already, and no other one of that name', async () => {
  await using client = await connectedTo(database.url);
  const { rows } = await client.query<{ archive_command: string }>('show archive_command');
  const archive = (content: string) => {
    const piece = join(installation.dataDir, 'piece');
    writeFileSync(piece, content);
    const command = rows[0]?.archive_command.replaceAll('%p', piece).replaceAll('%f', 'PIECE') ?? 'false';
    return installation.runCommands(command);
  };
  const archived = () => readFileSync(join(installation.backupDir, 'log', 'PIECE'), 'utf8');
  await archive('of this database');
  expect(archived()).toBe('of this database');
  // As after a crash of the machine between the copy and the database's note of it.
  await archive('of this database');
  await expect(archive('of another one')).rejects.toMatchObject({ code: 1 });
  expect(archived()).toBe('of this database');
  expect(readdirSync(join(installation.backupDir, 'log'))).not.toContain('PIECE.part');
});

it('leaves the copy before as it is until the new one is whole', async () => {
  const archive = join(installation.backupDir, 'base.tar');
  writeFileSync(archive, 'the copy before');
  await using client = await connectedTo(database.url);
  // A log that nobody takes: the backup waits for its end, and has all of the database by then.
  await client.query(`alter system set archive_command = 'false'`);
  await client.query('select pg_reload_conf()');
  const backup = expect(installation.run('npm run --silent backup', servers)).rejects.toMatchObject({ code: 1 });
  await endWhatWaitsForTheLog(client);
  await backup;
  expect(readFileSync(archive, 'utf8').slice(0, 40)).toBe('the copy before');
  expect(readdirSync(installation.backupDir)).not.toContain('base.tar.part');
  await client.query('alter system reset archive_command');
  await client.query('select pg_reload_conf()');
});

it('ends and says why where the log cannot be archived', async () => {
  await using client = await connectedTo(database.url);
  await client.query(`alter system set archive_command = 'false'`);
  await client.query('select pg_reload_conf()');
  await expect(installation.run('npm run --silent backup', servers)).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^Nothing was copied: .* archive_command fails \(last for [0-9A-F]{24}[^)]*\)/),
  });
  expect(readdirSync(installation.backupDir)).not.toContain('base.tar.part');
  await client.query('alter system reset archive_command');
  await client.query('select pg_reload_conf()');
});

it('leaves no part behind where it is told to end', async () => {
  await using client = await connectedTo(database.url);
  await client.query(`alter system set archive_command = 'false'`);
  await client.query('select pg_reload_conf()');
  const command = ['deploy/backup/base-backup.ts', installation.dataDir, installation.backupDir];
  const backup = spawn(process.execPath, command, { env: { ...process.env, ...servers } });
  while ((await client.query(`select from pg_stat_activity where ${waitsForTheLog}`)).rowCount === 0) await sleep(50);
  expect(readdirSync(installation.backupDir)).toContain('base.tar.part');
  backup.kill('SIGTERM');
  expect(await once(backup, 'exit')).toEqual([1, null]);
  expect(readdirSync(installation.backupDir)).not.toContain('base.tar.part');
  await client.query('alter system reset archive_command');
  await client.query('select pg_reload_conf()');
});

it('restores nothing of a copy that was not finished, and leaves what is there', async () => {
  await installation.runCommands('tar -cf "$BACKUP/base.tar" -C "$DATA" postgres/PG_VERSION');
  await expect(installation.run('recovery.signal')).rejects.toMatchObject({
    stderr: expect.stringContaining('postgres/backup_label: Not found in archive'),
  });
  expect(existsSync(join(installation.dataDir, 'postgres/postmaster.pid'))).toBe(true);
});

async function connectedTo(url: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() });
}

/** A backup's session, while its log is to be archived. */
const waitsForTheLog = `query like '%pg_backup_stop()' and wait_event = 'BackupWaitWalArchive'`;

/** Cuts the connection of a backup that waits for its log to be archived. */
async function endWhatWaitsForTheLog(client: pg.Client): Promise<void> {
  const end = `select pg_terminate_backend(pid) from pg_stat_activity where ${waitsForTheLog}`;
  while ((await client.query(end)).rowCount === 0) await sleep(50);
}
