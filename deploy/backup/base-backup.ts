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
import { setTimeout as sleep } from 'node:timers/promises';
import { ToldError } from '@paywright/platform';
import pg from 'pg';
import { runProgram } from '../local/run-program.ts';
import { readArguments, UsageError } from '../local/usage-error.ts';
import { findServers } from '../rebuild/find-servers.ts';

const usage = `Copies the database of a running npm start into base.tar, which replaces the one before once it is whole.

  npm run backup -- <data folder> <backup folder>   such as .data /var/backups/paywright; both folders exist
  npm run backup -- --help                          this text

It needs tar, and a database that archives its log (archive_mode): without the log the copy cannot be restored.
docs/backup.md says how to keep the log, what else to keep, and how to restore.
`;

/** The log comes from its archive; the others belong to the process that runs. */
const leftOut = ['postgres/pg_wal/*', 'postgres/postmaster.pid', 'postgres/postmaster.opts'];

/**
 * `npm run backup -- <data folder> <backup folder>`: copies the database of an `npm start` while it runs, into
 * `base.tar`. Where PostgreSQL's own pg_basebackup is installed, that does the same.
 */
async function main(args: readonly string[]): Promise<void> {
  const options = { help: { type: 'boolean', default: false } } as const;
  const { values, positionals } = readArguments({ args: [...args], options, allowPositionals: true }, usage);
  if (values.help) return console.log(usage);
  const [dataDir, backupDir, ...more] = positionals;
  if (dataDir === undefined || backupDir === undefined || more.length > 0)
    throw new UsageError(`Name a data folder and a backup folder.\n\n${usage}`);
  if (!existsSync(backupDir)) throw new UsageError(`There is no folder ${backupDir}`);
  const { DATABASE_URL } = findServers({ ...process.env, PAYWRIGHT_DATA_DIR: dataDir });
  const client = new pg.Client({ connectionString: DATABASE_URL });
  const archiver = new pg.Client({ connectionString: DATABASE_URL });
  // Whoever asks next is told that a connection was lost. Without a listener it would end the process, and leave a part.
  for (const connection of [client, archiver]) connection.on('error', () => undefined);
  // Each minute that it waits for the log, Postgres tells so.
  client.on('notice', ({ severity, message = '' }) => severity === 'WARNING' && console.error(message));
  await Promise.all([client.connect(), archiver.connect()]);
  try {
    await refuseWithoutLog(client);
    await copy(client, archiver, dataDir, join(backupDir, 'base.tar'));
  } finally {
    await Promise.all([client.end(), archiver.end()]);
  }
}

/** Pages change while they are copied: without the log of that time they are no database. */
async function refuseWithoutLog(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ mode: string }>(`select current_setting('archive_mode') as mode`);
  if (rows[0]?.mode === 'off')
    throw new ToldError(
      'Nothing was copied: archive_mode is off, and a copy without the log cannot be restored. ' +
        'docs/backup.md says how to keep the log.',
    );
}

/** The archive is replaced once the new one is whole: until then the one before is what there is to restore. */
async function copy(client: pg.Client, archiver: pg.Client, dataDir: string, archive: string): Promise<void> {
  process.umask(0o077); // of what tar makes, too
  const draft = `${archive}.part`;
  const labelDir = mkdtempSync(join(tmpdir(), 'paywright-backup-'));
  const clear = () => {
    rmSync(labelDir, { recursive: true, force: true });
    rmSync(draft, { force: true });
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      clear();
      process.exit(1);
    });
  try {
    // Both calls belong to one connection: if it breaks, there is no backup.
    await client.query(`select pg_backup_start('paywright', fast => true)`);
    const without = leftOut.map((pattern) => `--exclude=${pattern}`);
    tar([...without, '-cf', draft, '-C', dataDir, 'postgres'], true);
    const labelText = await untilLogIsArchived(client, archiver);
    const label = join(labelDir, 'postgres', 'backup_label');
    mkdirSync(join(labelDir, 'postgres'));
    writeFileSync(label, labelText, { mode: 0o600 });
    const { uid, gid } = statSync(join(dataDir, 'postgres')); // who will rename it when it is restored
    chownSync(label, uid, gid);
    tar(['-rf', draft, '-C', labelDir, 'postgres/backup_label']);
    sync(draft);
    renameSync(draft, archive);
    sync(dirname(archive));
    console.log(`${archive} holds the database as it is with the log archived until now.`);
  } finally {
    clear();
  }
}

/** How often the archiver tries a piece of the log before it rests for a minute. */
const attemptsOfARound = 3;

/**
 * Ends the backup, which takes until the log up to here is archived: for good where nothing can be archived.
 * @returns the label that makes the copy one to be restored
 * @throws if the archiver has failed as often as it tries in one go
 */
async function untilLogIsArchived(client: pg.Client, archiver: pg.Client): Promise<string> {
  const { rows: own } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const before = await failuresOf(archiver);
  const label = client.query<{ labelfile: string }>('select labelfile from pg_backup_stop()');
  const over = new AbortController();
  const ended = label.then(
    () => over.abort(),
    () => over.abort(),
  );
  while (!over.signal.aborted) {
    await Promise.race([ended, sleep(500)]);
    const { count, piece } = await failuresOf(archiver);
    if (over.signal.aborted || count < before.count + attemptsOfARound) continue;
    await archiver.query('select pg_cancel_backend($1)', [own[0]?.pid]);
    await ended;
    throw new ToldError(
      `Nothing was copied: the log is not archived, since archive_command fails (last for ${piece}). ` +
        'The log file of the database says how.',
    );
  }
  return (await label).rows[0]?.labelfile ?? '';
}

async function failuresOf(archiver: pg.Client): Promise<{ readonly count: number; readonly piece: string | null }> {
  const { rows } = await archiver.query<{ count: number; piece: string | null }>(
    'select failed_count::int as count, last_failed_wal as piece from pg_stat_archiver',
  );
  return rows[0] ?? { count: 0, piece: null };
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
  if (status !== 0 && !(mayChange && status === 1)) throw new ToldError(`tar: ${stderr}`);
}

await runProgram(() => main(process.argv.slice(2)));
