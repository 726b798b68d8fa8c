import { setTimeout as sleep } from 'node:timers/promises';
import { AppSnapshot, groups, topics } from '@paywright/contracts';
import {
  databaseAnswers,
  DatabaseCheck,
  openPool,
  requireMigrations,
  untilDatabaseAnswers,
} from '@paywright/event-sourcing';
import {
  BatchConsumer,
  CoalescingProducer,
  CompactedTopicReader,
  type KafkaConnection,
  type OutgoingMessage,
  RangeReader,
  awaitClusterId,
  traceBatches,
  untilReached,
} from '@paywright/messaging';
import {
  type Clock,
  type HealthCheck,
  type Logger,
  type Metrics,
  noTracer,
  periodically,
  type Tracer,
} from '@paywright/platform';
import { modelKeyOfPart, type ModelName } from '@paywright/selection-models';
import { Abreast } from './joining/abreast.ts';
import { JoinedTime } from './joining/joined-time.ts';
import { Joiner } from './joining/joiner.ts';
import { ModelLogs } from './joining/model-logs.ts';
import { Ticker } from './joining/ticker.ts';
import { LearnerCatalogs } from './learner-catalogs.ts';
import { OwnedPartitions } from './owned-partitions.ts';
import { processorPressure } from './processor-pressure.ts';
import { Rebuilder } from './rebuilding/rebuilder.ts';
import { RebuildRows } from './rebuilding/rebuild-rows.ts';
import { Rebuilds } from './rebuilding/rebuilds.ts';
import { ArchivedSnapshots } from './training/archived-snapshots.ts';
import { LearnedRecord, newestSnapshots } from './training/newest-snapshots.ts';
import { SnapshotArchive } from './training/snapshot-archive.ts';
import { Trainers } from './training/trainers.ts';

/** The Postgres schema of the learner. */
const learnerSchema = 'selection_learning';

/** Three topics are joined beside each other; the trainer, the ticker and a health check come on top. */
const connections = 6;
/** Nobody waits for what is learned. More than this at a time would hold up what serves: p99 doubles with a second. */
const restMs = 200;
/** Above this many percent of processor pressure (see `processorPressure`) whoever serves comes first. */
const pressed = 40;
/** Once a transaction, of which a full machine has about one at a time: 1,300 decisions/s beside 400 fetches/s. */
const joinerGivesWayMs = 100;
const rebuilderGivesWayMs = 400;
/** Of each group's topics. A backlog takes 210 to 240 MB so, and 360 to 420 with the usual bounds (docs/performance.md). */
const mostBytes = 1_048_576;
const tickEveryMs = 1_000;
/** While partitions wait for others: so often it is seen whether these have come up. */
const abreastEveryMs = 100;
/** How often it is asked whether a model is to be rebuilt. */
const rebuildEveryMs = 1_000;
/** How often it is asked whether the topic holds snapshots of archived models. */
const archivedEveryMs = 5_000;
const drainMs = 1_500;
const publishWithinMs = 10_000;

/** The names of the topics, for tests that have their own. */
export type LearnerTopics = Readonly<Record<LearnerTopic, string>>;
type LearnerTopic =
  | 'catalogSnapshots'
  | 'selectionEvents'
  | 'impressionEvents'
  | 'purchaseEvents'
  | 'selectionLearning'
  | 'selectionModels';

export interface LearnerContext {
  readonly kafka: KafkaConnection;
  readonly databaseUrl: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly tracer?: Tracer;
  readonly topics?: LearnerTopics;
  /** Behind the names of the consumer groups, for tests that have their own. */
  readonly groupSuffix?: string;
  readonly checkpointEveryMs?: number;
  /**
   * How often it looks at what nobody tells it, for tests that wait for that: where topics end, whether time has passed, which
   * snapshots there are, what is to be rebuilt. One to five seconds if absent.
   */
  readonly lookEveryMs?: number;
  /** The time of day at which models are rebuilt, in milliseconds since midnight, UTC; never if it is null or absent. */
  readonly rebuildAtMs?: number | null;
  /** How short processors are, in percent: above 40 learning gives way to what serves. The machine's own if absent. */
  readonly pressure?: () => number;
}

export interface Learner {
  readonly checks: readonly HealthCheck[];
  /** Resolves when it reads. The signal ends the wait for its database. */
  start(stopping?: AbortSignal): Promise<void>;
  /** Ends what is in hand, and stores what was learned. */
  stop(): Promise<void>;
}

/** Puts the learner together: the joiner, which writes the logs of models, and the trainers, which read them. */
export async function openLearner(context: LearnerContext): Promise<Learner> {
  const { kafka, databaseUrl, clock, logger, metrics, topics: names = topics, groupSuffix = '' } = context;
  const { tracer = noTracer, pressure = processorPressure, lookEveryMs } = context;
  // A frozen owner's locks end before the group gives its partitions to another one.
  const settings = { idle_in_transaction_session_timeout: '15s' };
  const pool = openPool(
    { name: 'learner', databaseUrl, schema: learnerSchema, max: connections, patienceMs: 30_000, settings },
    context,
  );
  const database = new DatabaseCheck(pool, clock, logger);
  const producer = new CoalescingProducer({ kafka, metrics });
  const publish = (messages: readonly OutgoingMessage[]) => producer.sendWithDeadline(messages, publishWithinMs);
  const isDatabaseUp = databaseAnswers(pool);
  const clusterId = await awaitClusterId(kafka);

  const catalogs = new LearnerCatalogs();
  const isArchived = (name: ModelName) => catalogs.isArchived(name);
  const snapshots = new CompactedTopicReader({
    kafka,
    topic: names.catalogSnapshots,
    schema: AppSnapshot,
    onRecord: (_appId, snapshot) => snapshot && catalogs.apply(snapshot),
    metrics,
  });
  const joined = new OwnedPartitions(pool, clusterId);
  const logs = new ModelLogs(catalogs, names.selectionLearning);
  const stopping = new AbortController();
  const givingWay = (ms: number) => () => (pressure() < pressed ? Promise.resolve() : rest(ms, stopping.signal));
  const joinedTopics = [names.selectionEvents, names.impressionEvents, names.purchaseEvents];
  const ranges = new RangeReader(kafka, joinedTopics);
  const joinedTime = new JoinedTime({
    ...{ pool, clusterId, topics: joinedTopics, clock, endsEveryMs: lookEveryMs },
    ranges: () => ranges.read(),
  });
  const help = 'How far behind the clock the partition is that is joined least far';
  const behind = () => (joinedTime.until === null ? NaN : (clock.now() - joinedTime.until) / 1_000);
  metrics.gauge('learner_joined_behind_seconds', help, [], behind);
  const joiner = new Joiner({
    ...{ pool, partitions: joined, joinedTime, catalogs, logs, publish, metrics },
    giveWay: givingWay(joinerGivesWayMs),
  });
  const ticker = new Ticker({
    ...{ pool, joiner, joinedTime, logs, publish },
    isTurn: () => joined.owns({ topic: names.selectionEvents, partition: 0 }),
  });
  const abreast = new Abreast({ partitions: joined, joinedTime, clock });
  const archive = new SnapshotArchive(pool);
  const { checkpointEveryMs, rebuildAtMs: dueAtMs = null } = context;
  const trained = new OwnedPartitions(pool, clusterId);
  const rows = new RebuildRows(pool, trained);
  const rebuilds = new Rebuilds({ kafka, rows, logger, stopping: stopping.signal });
  const trainers = new Trainers({
    ...{ pool, partitions: trained, archive, rebuilds, clock, logger, metrics },
    ...{ isArchived, modelsTopic: names.selectionModels },
    ...(checkpointEveryMs !== undefined && { checkpointEveryMs }),
  });
  const told = new CompactedTopicReader({
    ...{ kafka, topic: names.selectionModels, schema: LearnedRecord, metrics },
    isWanted: (key) => modelKeyOfPart(key) !== null,
  });
  const telling = { topic: names.selectionModels, reader: told, isArchived, publish, models: () => trainers.models() };
  const newest = newestSnapshots({ ...telling, archive, logger, everyMs: lookEveryMs });
  const archived = new ArchivedSnapshots(telling);
  const rebuilder = new Rebuilder({
    ...{ kafka, topic: names.selectionLearning, rows, dueAtMs, publish, clock, logger, metrics },
    giveWay: givingWay(rebuilderGivesWayMs),
    models: () => (stopping.signal.aborted ? [] : trainers.models()),
  });
  const consumed = { kafka, producer, metrics, carries: 'events', isDatabaseUp, drainMs, mostBytes } as const;
  const joining = new BatchConsumer({
    ...consumed,
    restMs: () => restMs,
    group: groups.selectionJoiner + groupSuffix,
    topic: joinedTopics,
    claim: (partitions, anew) => joined.claim(partitions, anew),
    passOver: (message) => joiner.passOver(message),
    isDue: (message) => abreast.isDue(message),
    handler: traceBatches(tracer, 'join', (messages) => joiner.handle(messages)),
  });
  const training = new BatchConsumer({
    ...consumed,
    restMs: () => restMs,
    group: groups.selectionTrainer + groupSuffix,
    topic: names.selectionLearning,
    claim: (partitions, anew) => trainers.claim(partitions, anew),
    handler: (messages) => trainers.handle(messages),
  });
  /** Lets time pass, and what has waited for it begin. */
  const letTimePass = async (): Promise<boolean> => {
    const waiting = joining.notDue();
    await abreast.tell(waiting);
    const isMore = await ticker.turn();
    joining.lookAgain();
    if (waiting.length > 0) await rest(lookEveryMs ?? abreastEveryMs, stopping.signal);
    return isMore || waiting.length > 0;
  };
  const stops: (() => Promise<void>)[] = [];

  return {
    checks: [producer, snapshots, joining, training, database],
    start: async (stopping) => {
      await database.start(stopping);
      await untilDatabaseAnswers(() => requireMigrations(pool, 'selection-learning'), logger, stopping);
      const rangesStart = untilReached(kafka, () => ranges.start(), stopping);
      await Promise.all([producer.start(stopping), rangesStart, snapshots.start()]);
      await Promise.all([joining.start(), training.start(), newest.start()]);
      const look = (name: string, everyMs: number, turn: () => Promise<boolean>) =>
        stops.push(periodically({ name, pauseMs: lookEveryMs ?? everyMs, turn }, logger));
      look('rebuilds', rebuildEveryMs, () => rebuilder.turn());
      look('archived snapshots', archivedEveryMs, () => archived.turn());
      look('ticks', tickEveryMs, letTimePass);
    },
    stop: async () => {
      stopping.abort();
      await Promise.all(stops.map((stop) => stop()));
      await Promise.all([joining.stop(), training.stop()]);
      await trainers.checkpoint().catch((error: unknown) => logger.warn({ error }, 'No last checkpoint was stored'));
      await Promise.all([snapshots.stop(), newest.stop(), ranges.stop()]);
      await producer.close();
      database.stop();
      await pool.end();
    },
  };
}

/** Learning can wait, people before a paywall cannot: on a full machine it goes on at a fraction of its speed. */
async function rest(ms: number, stopping: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal: stopping }).catch(() => undefined);
}
