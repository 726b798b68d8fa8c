import { createPool } from '@paywright/event-sourcing';
import { readClusterId, readRanges, type Failpoint, type KafkaConnection } from '@paywright/messaging';
import { sleep, type Clock, type Logger, type ProgressSample } from '@paywright/platform';
import type pg from 'pg';
import type { Projection } from '../following/projection.ts';
import { allProjections } from '../projections.ts';
import { discardAsBefore } from './carry-over.ts';
import { Folding } from './folding.ts';
import { selectShown } from './offsets.sql.ts';
import { readProgress } from './read-progress.ts';
import { describeProgress, nearlyLevel, recentSamples } from './rebuild-progress.ts';
import { transact } from './rebuild-connection.ts';
import { schemas } from './schemas.ts';
import { recordsBehind, switchOver } from './switch-over.ts';
import { takePart, untilLeading } from './taking-part.ts';

export interface BuildOptions {
  readonly databaseUrl: string;
  readonly kafka: KafkaConnection;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly failpoint: Failpoint;
  /** Tells people one thing. */
  readonly say: (line: string) => void;
  /** Whether the new one is put in the place of the present one once it is level. */
  readonly switches: boolean;
  /** Ends it early; what was folded in stays, and the next run goes on there. */
  readonly ending: AbortSignal;
}

const ended = 'Ended. The same command goes on here.';
const sayEveryMs = 2_000;
const lookEveryMs = 200;
/** Between tries to switch, which hold writers up; each rest is twice as long as the one before. */
const [firstRestMs, longestRestMs] = [1_000, 60_000];

/**
 * Folds topics into the next read model, beside all others who do so. The one that leads them goes on until it is level with the
 * present one, and switches if that was asked for. If not, it holds at least what the present one showed when this began:
 * nothing else folds in the rest.
 * @throws RebuildRefused
 */
export async function build(connection: pg.Client, options: BuildOptions): Promise<void> {
  const { databaseUrl, kafka, clock, logger, failpoint, say, ending } = options;
  // Nobody waits for the versions of a model that nobody reads; told of them, gateways would look for them in the other one.
  const projections = allProjections(new Set()).map((projection) => ({ ...projection, awaited: null }));
  const clusterId = await readClusterId(kafka);
  const ranges = await readRanges(
    kafka,
    projections.map(({ topic }) => topic),
  );
  const part = await takePart(connection, { ranges, clusterId, ending });
  if (part === null) return say(ended);
  const { table } = part;
  if (!part.leads) say('Another process leads this rebuild, and tells how far it is. This one folds along …');
  const shown = options.switches ? [] : (await connection.query<object>(selectShown)).rows;
  const pool = createPool({
    databaseUrl,
    schema: schemas.next,
    max: 6,
    patienceMs: 60_000,
    // As in the projection. The switch is committed behind all of it.
    settings: { synchronous_commit: 'off', idle_in_transaction_session_timeout: '5s' },
  });
  const folding = new Folding({ kafka, pool, projections, clusterId, table, clock, logger, failpoint });
  try {
    if (!(await starts(folding, options))) return say(ended);
    const leads = part.leads || (await untilLeading(connection, table, options));
    if (ending.aborted) return say(ended);
    if (leads) await lead(connection, projections, shown, options);
  } finally {
    await folding.stop();
    await pool.end();
  }
}

async function lead(
  connection: pg.Client,
  projections: readonly Projection[],
  shown: readonly object[],
  options: BuildOptions,
): Promise<void> {
  const { clock, say, ending } = options;
  await untilNearlyLevel(connection, shown, options);
  if (ending.aborted) return say(ended);
  await transact(connection, () => discardAsBefore(connection, projections));
  await freshenStatistics(connection);
  if (!options.switches) return say('The new read model is level. The same command without --no-switch switches.');
  const trySwitch = () => switchOver({ connection, projections, now: () => clock.machineNow() });
  for (let restMs = firstRestMs; !(await trySwitch()); restMs = Math.min(2 * restMs, longestRestMs)) {
    say(`Not at this moment: a writer takes long. Trying again in ${restMs / 1_000} s …`);
    await sleep(restMs, ending);
    if (ending.aborted) return say(ended);
  }
  say('Switched. The former one is kept until --drop-former.');
}

/** It waits for brokers that went meanwhile, and says so. @returns false if it was ended by then */
async function starts(folding: Folding, { say, ending }: Pick<BuildOptions, 'say' | 'ending'>): Promise<boolean> {
  const telling = setInterval(() => say('Waiting for a broker …'), sayEveryMs);
  try {
    await folding.start(ending);
    return true;
  } catch (error) {
    if (ending.aborted) return false;
    throw error;
  } finally {
    clearInterval(telling);
  }
}

async function untilNearlyLevel(
  connection: pg.Client,
  shown: readonly object[],
  { kafka, clock, say, ending }: Pick<BuildOptions, 'kafka' | 'clock' | 'say' | 'ending'>,
): Promise<void> {
  let samples: readonly ProgressSample[] = [];
  for (let saidAt = 0; !ending.aborted; await sleep(lookEveryMs, ending)) {
    const progress = await readProgress(connection, kafka);
    const now = clock.machineNow();
    samples = recentSamples([...samples, { at: now, ...progress }], now);
    const isLevel =
      (await recordsBehind(connection)) <= nearlyLevel(samples) &&
      progress.total - progress.done <= nearlyLevel(samples) &&
      (await recordsBehind(connection, shown)) === 0;
    if (isLevel || now - saidAt >= sayEveryMs) {
      say(describeProgress(samples));
      saidAt = now;
    }
    if (isLevel) return;
  }
}

/** Otherwise the first queries after the switch would be planned as if the tables were empty. */
async function freshenStatistics(connection: pg.Client): Promise<void> {
  const { rows } = await connection.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = $1`,
    [schemas.next],
  );
  await connection.query(`vacuum (analyze) ${rows.map(({ name }) => name).join(', ')}`);
}
