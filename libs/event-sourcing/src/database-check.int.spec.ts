import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { freePort, loopback } from '@paywright/deploy/local/free-ports.ts';
import { createLogger, SystemClock } from '@paywright/platform';
import { databaseAnswers, DatabaseCheck } from './database-check.ts';
import { createPool } from './pool.ts';

const database = new URL(process.env['TEST_DATABASE_URL']!);
const cleaning: (() => Promise<unknown> | void)[] = [];
afterEach(async () => {
  for (const clean of cleaning.splice(0).reverse()) await clean();
});

function check(url: URL, clock = new SystemClock()) {
  const lines: string[] = [];
  const logger = createLogger({ service: 'test', level: 'warn' }, { write: (line) => void lines.push(line) });
  const pool = createPool({ databaseUrl: url.href, schema: 'public', max: 1 });
  const check = new DatabaseCheck(pool, clock, logger);
  cleaning.push(
    () => pool.end(),
    () => check.stop(),
  );
  return { check, lines };
}

/** The machine's clock, set ahead by whoever corrects it. */
class CorrectedClock extends SystemClock {
  aheadMs = 0;

  override now(): number {
    return super.now() + this.aheadMs;
  }
}

/** Where no server is yet, and what puts one there. */
async function absentDatabase() {
  const port = await freePort();
  const url = new URL(database);
  url.host = `${loopback}:${String(port)}`;
  const open = async () => {
    const server = createServer((client) => {
      const onward = connect(Number(database.port || 5432), database.hostname);
      client.pipe(onward).pipe(client);
      for (const socket of [client, onward]) socket.on('error', () => undefined);
    });
    cleaning.unshift(() => void server.close());
    await once(server.listen(port, loopback), 'listening');
  };
  return { url, open };
}

/** A server that takes a query and is gone, once. */
async function databaseThatCrashes() {
  const query = 'Q'.charCodeAt(0);
  let hasCrashed = false;
  const server = createServer((client) => {
    const onward = connect(Number(database.port || 5432), database.hostname);
    client.on('data', (bytes) => {
      if (hasCrashed || bytes[0] !== query) return void onward.write(bytes);
      hasCrashed = true;
      client.end();
      onward.destroy();
    });
    onward.pipe(client);
    for (const socket of [client, onward]) socket.on('error', () => undefined);
  });
  cleaning.push(() => void server.close());
  await once(server.listen(0, loopback), 'listening');
  const url = new URL(database);
  url.host = `${loopback}:${String((server.address() as AddressInfo).port)}`;
  return url;
}

describe('DatabaseCheck', () => {
  it('waits for a database that is not there yet', async () => {
    const { url, open } = await absentDatabase();
    const { check: database, lines } = check(url);

    const started = database.start();
    while (lines.length === 0) await delay(10);
    expect(database.ready()).toBe('no answer yet');
    await open();
    await started;

    expect(database.ready()).toBe(true);
    expect(lines[0]).toContain('The database does not answer yet: waiting for it');
  });

  it('waits for a database that crashes while it is asked', async () => {
    const { check: database, lines } = check(await databaseThatCrashes());
    await database.start();
    expect(database.ready()).toBe(true);
    expect(lines[0]).toContain('The database does not answer yet: waiting for it');
  });

  it('waits no more when it is told to stop, and does not start', async () => {
    const { url } = await absentDatabase();
    const { check: database, lines } = check(url);
    const stopping = new AbortController();
    const reason = new Error('The process stops');

    const started = database.start(stopping.signal);
    while (lines.length === 0) await delay(10);
    stopping.abort(reason);

    await expect(started).rejects.toBe(reason);
    expect(database.ready()).toBe('no answer yet');
  });

  it('takes the database for there also while the machine’s clock is set', async () => {
    const clock = new CorrectedClock();
    const { check: answering } = check(database, clock);
    await answering.start();
    clock.aheadMs = 60_000;
    expect(answering.ready()).toBe(true);
  });

  it.each([
    ['a database that nobody made', { pathname: '/nobody_made_this' }, 'is refused by the server: database'],
    ['a user that nobody made', { username: 'nobody' }, 'is refused by the server: '],
    ['a server that speaks no TLS', { search: '?sslmode=verify-full' }, 'asks for TLS (sslmode)'],
    [
      'an authority whose file is not there',
      { search: '?sslmode=verify-full&sslrootcert=/no/such/file' },
      'names a file that cannot be read: ENOENT',
    ],
  ])('does not wait for %s, and names the variable and no password', async (_what, change, problem) => {
    const url = Object.assign(new URL(database), change);
    const started = check(url).check.start();
    await expect(started).rejects.toMatchObject({
      faults: [{ variable: 'DATABASE_URL', problem: expect.stringContaining(problem) }],
    });
    expect(url.password).not.toBe('');
    await expect(started).rejects.not.toMatchObject({ message: expect.stringContaining(url.password) });
  });
});

describe('databaseAnswers', () => {
  it('tells whether the database is there, and never rejects', async () => {
    const { url, open } = await absentDatabase();
    const pool = createPool({ databaseUrl: url.href, schema: 'public', max: 1 });
    cleaning.push(() => pool.end());
    const answers = databaseAnswers(pool);

    expect(await answers()).toBe(false);
    await open();
    expect(await answers()).toBe(true);
  });
});
