import { spawnSync } from 'node:child_process';
import { chownSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { findServers } from '../rebuild/find-servers.ts';

/**
 * `node deploy/backup/base-backup.ts <data folder> <backup folder>`: copies the database of an `npm start` while it runs,
 * into `base.tar`. Where PostgreSQL's own pg_basebackup is installed, that does the same.
 */
const [dataDir, backupDir] = process.argv.slice(2);
if (dataDir === undefined || backupDir === undefined) {
  console.error('Usage: node deploy/backup/base-backup.ts <data folder> <backup folder>');
  process.exit(2);
}
const archive = join(backupDir, 'base.tar');

/** The log comes from its archive; the others belong to the process that runs. */
const leftOut = ['postgres/pg_wal/*', 'postgres/postmaster.pid', 'postgres/postmaster.opts'];

/** @throws if tar fails; that files change or go while it reads them is what the log is there to mend */
function tar(args: readonly string[], mayChange = false): void {
  const { status, stderr } = spawnSync('tar', args, { encoding: 'utf8' });
  if (status !== 0 && !(mayChange && status === 1)) throw new Error(`tar: ${stderr}`);
}

const client = new pg.Client({
  connectionString: findServers({ ...process.env, PAYWRIGHT_DATA_DIR: dataDir }).DATABASE_URL,
});
await client.connect();
const labelDir = mkdtempSync(join(tmpdir(), 'paywright-backup-'));
try {
  // Both calls belong to one connection: if it breaks, there is no backup.
  await client.query(`select pg_backup_start('paywright', fast => true)`);
  const without = leftOut.map((pattern) => `--exclude=${pattern}`);
  tar([...without, '-cf', archive, '-C', dataDir, 'postgres'], true);
  // Returns once the log up to here is archived, where it is archived at all.
  const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop()');
  const label = join(labelDir, 'postgres', 'backup_label');
  mkdirSync(join(labelDir, 'postgres'));
  writeFileSync(label, rows[0]?.labelfile ?? '', { mode: 0o600 });
  const { uid, gid } = statSync(join(dataDir, 'postgres')); // who will rename it when it is restored
  chownSync(label, uid, gid);
  tar(['-rf', archive, '-C', labelDir, 'postgres/backup_label']);
  console.log(`${archive} holds the database as it is with the log archived until now.`);
} finally {
  rmSync(labelDir, { recursive: true });
  await client.end();
}
