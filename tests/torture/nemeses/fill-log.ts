import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Nemesis } from '../nemesis.ts';

/** Tables can grow a little, while a file of the log (16 MB) has no room. */
const leftBytes = 6 * 2 ** 20;
/** The log has fewer files in stock. */
const mostFiles = 100;

/** A table that cannot grow is an error of a statement; a log that cannot is the end of the server. */
export const fillLog: Nemesis = {
  name: 'fill-log',
  fault: 'N6',
  about: 'the disk of Postgres has no room for the next file of its log: it ends itself, then has room again',
  targets: [],
  lastsMs: [3_000, 15_000],
  recoversMs: 10_000,
  lacks: ({ disks }) => (disks.postgres ? null : 'the right to mount a tmpfs (root on Linux)'),
  async strike({ stack, disks }, { lastsMs }) {
    if (!disks.postgres) throw new Error('There is no disk to fill.');
    await disks.postgres.fill(leftBytes);
    await useUpLog(stack.databaseUrl);
    await sleep(lastsMs);
    await disks.postgres.makeRoom();
    while (stack.processOf('postgres') && !(await answers(stack.databaseUrl))) await sleep(200);
    if (!stack.processOf('postgres')) await stack.startPostgres();
  },
};

/** Goes from file to file of the log until the server is lost. @throws if it is not */
async function useUpLog(databaseUrl: string): Promise<void> {
  const lost = await asking(databaseUrl, async (client) => {
    for (let file = 0; file < mostFiles; file++)
      await client.query(`select pg_logical_emit_message(true, 'fill-log', ''), pg_switch_wal()`);
  }).then(
    () => false,
    () => true,
  );
  if (!lost) throw new Error('The log still has room.');
}

const answers = (databaseUrl: string): Promise<boolean> =>
  asking(databaseUrl, (client) => client.query('select')).then(
    () => true,
    () => false,
  );

async function asking(databaseUrl: string, ask: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 2_000, query_timeout: 5_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await ask(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}
