import { createKafka, failpointFrom } from '@paywright/messaging';
import { createLogger, kafkaAddress, loadConfig, SystemClock } from '@paywright/platform';
import pg from 'pg';
import { z } from 'zod';
import { projectionConfig } from '../config.ts';
import { build } from './build.ts';
import { describeStatus, drop } from './keeping.ts';
import { requireLead, withRebuildConnection } from './rebuild-connection.ts';
import { RebuildRefused, schemas } from './schemas.ts';

/** `main.js <action>`: the part of `npm run rebuild` that knows the projection. The schema is there by then. */
const Action = z.enum(['build', 'build-and-switch', 'status', 'drop-next', 'drop-former']);

const say = (line: string) => process.stdout.write(`${line}\n`);
const config = loadConfig(projectionConfig, process.env);
const logger = createLogger({ service: 'rebuild', level: 'error' });
const kafka = createKafka({ ...kafkaAddress(config), clientId: 'rebuild', logger });
const { DATABASE_URL: databaseUrl } = config;

async function run(action: z.output<typeof Action>): Promise<void> {
  if (action === 'status') return tellStatus();
  await withRebuildConnection(databaseUrl, async (connection) => {
    if (action.startsWith('drop')) await requireLead(connection);
    if (action === 'drop-next') return tellDropped(await drop(connection, schemas.next), 'rebuild that was begun');
    if (action === 'drop-former') return tellDropped(await drop(connection, schemas.former), 'former read model');
    const ending = new AbortController();
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ending.abort());
    const switches = action === 'build-and-switch';
    const context = { databaseUrl, kafka, logger, clock: new SystemClock(), failpoint: failpointFrom(process.env) };
    await build(connection, { ...context, say, switches, ending: ending.signal });
  });
}

async function tellStatus(): Promise<void> {
  const connection = new pg.Client({ connectionString: databaseUrl });
  await connection.connect();
  try {
    for (const line of await describeStatus(connection, kafka)) say(line);
  } finally {
    await connection.end();
  }
}

const tellDropped = (wasThere: boolean, what: string) =>
  say(wasThere ? `Dropped the ${what}.` : `There is no ${what}.`);

try {
  await run(Action.parse(process.argv[2]));
} catch (error) {
  const reason = error instanceof Error ? error.message : String(error);
  process.stderr.write(`${error instanceof RebuildRefused ? reason : `The rebuild ended: ${reason}`}\n`);
  process.exitCode = 1;
}
