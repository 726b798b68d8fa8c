import { spawnSync } from 'node:child_process';
import {
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { findServers } from '../rebuild/find-servers.ts';
import { UsageError } from '../rebuild/options.ts';

const usage = 'Usage: npm run backup -- <data folder> <backup folder>';

/** The log comes from its archive; the others belong to the process that runs. */
const leftOut = ['postgres/pg_wal/*', 'postgres/postmaster.pid', 'postgres/postmaster.opts'];

/**
 * `npm run backup -- <data folder> <backup folder>`: copies the database of an `npm start` while it runs, into
 * `base.tar`. Where PostgreSQL's own pg_basebackup is installed, that does the same.
 */
async function main(args: readonly string[]): Promise<void> {
  if (args[0] === '--help') return console.log(usage);
  const [dataDir, backupDir, ...more] = args;
  if (dataDir === undefined || backupDir === undefined || more.length > 0) throw new UsageError(usage);
  if (!existsSync(backupDir)) throw new UsageError(`There is no folder ${backupDir}`);
  const { DATABASE_URL } = findServers({ ...process.env, PAYWRIGHT_DATA_DIR: dataDir });
  const client = new pg.Client({ connectionString: DATABASE_URL });
  await client.connect();
  try {
    await refuseWithoutLog(client);
    await copy(client, dataDir, join(backupDir, 'base.tar'));
  } finally {
    await client.end();
  }
}

/** Pages change while they are copied: without the log of that time they are no database. */
async function refuseWithoutLog(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ mode: string }>(`select current_setting('archive_mode') as mode`);
  if (rows[0]?.mode === 'off')
    throw new Error(
      'Nothing was copied: archive_mode is off, and a copy without the log cannot be restored. ' +
        'docs/backup.md says how to keep the log.',
    );
}

/** The archive is replaced once the new one is whole: until then the one before is what there is to restore. */
async function copy(client: pg.Client, dataDir: string, archive: string): Promise<void> {
  process.umask(0o077); // of what tar makes, too
  const draft = `${archive}.part`;
  const labelDir = mkdtempSync(join(tmpdir(), 'paywright-backup-'));
  try {
    // Both calls belong to one connection: if it breaks, there is no backup.
    await client.query(`select pg_backup_start('paywright', fast => true)`);
    const without = leftOut.map((pattern) => `--exclude=${pattern}`);
    tar([...without, '-cf', draft, '-C', dataDir, 'postgres'], true);
    // Returns once the log up to here is archived.
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop()');
    const label = join(labelDir, 'postgres', 'backup_label');
    mkdirSync(join(labelDir, 'postgres'));
    writeFileSync(label, rows[0]?.labelfile ?? '', { mode: 0o600 });
    const { uid, gid } = statSync(join(dataDir, 'postgres')); // who will rename it when it is restored
    chownSync(label, uid, gid);
    tar(['-rf', draft, '-C', labelDir, 'postgres/backup_label']);
    sync(draft);
    renameSync(draft, archive);
    sync(dirname(archive));
    console.log(`${archive} holds the database as it is with the log archived until now.`);
  } finally {
    rmSync(labelDir, { recursive: true });
    rmSync(draft, { force: true });
  }
}

/** Returns once the disk has what a file or a folder holds. */
function sync(path: string): void {
  const descriptor = openSync(path, 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
}

/** @throws if tar fails; that files change or go while it reads them is what the log is there to mend */
function tar(args: readonly string[], mayChange = false): void {
  const { status, stderr } = spawnSync('tar', args, { encoding: 'utf8' });
  if (status !== 0 && !(mayChange && status === 1)) throw new Error(`tar: ${stderr}`);
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
