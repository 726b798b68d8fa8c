import { AppSnapshot, groups, topics } from '@paywright/contracts';
import { databaseAnswers, openPool, requireMigrations, untilDatabaseAnswers } from '@paywright/event-sourcing';
import {
  BatchConsumer,
  BrokerTime,
  CoalescingProducer,
  CompactedTopicReader,
  defectsFrom,
  failpointFrom,
  traceBatches,
} from '@paywright/messaging';
import {
  deriveKey,
  masterKeys,
  type HealthCheck,
  profileIdPurpose,
  Sealing,
  SystemClock,
  periodically,
  type PeriodicWork,
} from '@paywright/platform';
import { ProfileQueries, PurchaseQueries, readModelSchema, requireProfileIdKey } from '@paywright/read-model';
import {
  StoreAccess,
  StoreCredentialsBook,
  storeCredentialsPurpose,
  storeCredentialsSchema,
} from '@paywright/store-credentials';
import { storeSettings } from '@paywright/stores';
import type { WriteServiceContext } from '@paywright/write-service';
import type { PurchaseValidationConfig } from '../config.ts';
import { AwaitedBuyers } from '../look-ups/awaited-buyers.ts';
import { LookUpBook } from '../look-ups/look-up-book.ts';
import { HeardEvents } from '../look-ups/heard-events.ts';
import { LookUpPace } from '../look-ups/look-up-pace.ts';
import { Reconciliation } from '../look-ups/reconciliation.ts';
import { StoreHistories } from '../look-ups/store-histories.ts';
import { defaultRatesFile } from '../rates/default-rates-file.ts';
import { ExchangeRates } from '../rates/exchange-rates.ts';
import { Revaluation } from '../rates/revaluation.ts';
import { AppSettingsBook } from './app-settings.ts';
import { Buyers } from './buyers.ts';
import { Forgetting } from './forgetting.ts';
import { Observed } from './observed.ts';
import { PlayChains } from './play-chains.ts';
import { PurchaseRequests } from './purchase-requests.ts';
import { StoreGuard } from './store-guard.ts';
import { StoreQuestions } from './store-questions.ts';

/** More than all stores together may hold: see StoreGuard. */
const keysAtATime = 1_024;
const connections = 6;
/** What is in hand when the process is told to stop is given as long as a store may take. */
const drainMs = 6_000;
/** As in the write services: at 100 requests/s each would come alone, and cost its own fetch. */
const restMs = 2;
const lookUpsEveryMs = 1_000;
const historiesEveryMs = 5_000;
const forgettingEveryMs = 60 * 60_000;

export interface Asking {
  readonly checks: readonly HealthCheck[];
  /** Resolves when requests are taken. What it waits for, it waits for until it is told to stop. */
  start(stopping: AbortSignal): Promise<void>;
  stop(): Promise<void>;
}

/** Puts together what asks the stores; nothing is connected before `start`. */
export function openAsking(context: WriteServiceContext<PurchaseValidationConfig>): Asking {
  const { config, kafka, clock, logger, metrics, tracer } = context;
  const open = (name: string, schema: string, max: number) =>
    openPool({ name, databaseUrl: config.DATABASE_URL, schema, max }, context);
  const pool = open('purchase-validation', 'purchase_validation', connections);
  const readModel = open('read-model', readModelSchema, connections);
  const credentials = open('store-credentials', storeCredentialsSchema, 2);
  const defects = defectsFrom(process.env);
  const producer = new CoalescingProducer({ kafka, metrics, tracer, defects });

  const apps = new AppSettingsBook();
  const snapshots = new CompactedTopicReader({
    kafka,
    topic: topics.catalogSnapshots,
    schema: AppSnapshot,
    metrics,
    onRecord: (_appId, snapshot) => snapshot && apps.apply(snapshot),
  });
  const master = masterKeys(config);
  const { newest, former } = master;
  const sealing = new Sealing(newest, storeCredentialsPurpose, former);
  const book = new StoreCredentialsBook({ pool: credentials, sealing, clock, logger, metrics });
  const access = new StoreAccess({ book, settings: storeSettings(config), clock, wallClock: new SystemClock() });

  const rates = new ExchangeRates({ files: config.FX_RATES_FILE ?? [defaultRatesFile()], clock, logger, metrics });
  const lookUps = new LookUpBook(pool, newest, former);
  const playChains = new PlayChains(pool);
  const heard = new HeardEvents(pool, clock);
  const guard = new StoreGuard(metrics, tracer);
  const purchases = new PurchaseQueries(readModel);
  const questions = new StoreQuestions({ access, apps, guard, playChains, purchases, clock, logger });
  const profileIdKey = deriveKey(master.profileIds, profileIdPurpose);
  const buyers = new Buyers({ pool, profiles: new ProfileQueries(readModel), profileIdKey });
  const observed = new Observed({ apps, buyers, rates, lookUps, playChains, purchases, clock, logger });
  const forgetting = new Forgetting({ buyers, purchases });
  const tokens = new Sealing(newest, 'purchase-token', former);
  const brokerTime = new BrokerTime(clock);
  const requests = new PurchaseRequests({
    questions,
    observed,
    forgetting,
    lookUps,
    heard,
    playChains,
    tokens,
    clock,
    brokerTime,
    logger,
  });
  const failpoint = failpointFrom(process.env);
  const consumer = new BatchConsumer({
    kafka,
    group: groups.purchaseRequests,
    topic: topics.purchaseRequests,
    handler: traceBatches(tracer, 'process', (messages) => requests.handle(messages)),
    producer,
    metrics,
    carries: 'commands',
    keysAtATime,
    onFetched: (messages) => brokerTime.shownBy(messages),
    restMs: () => restMs,
    isDatabaseUp: databaseAnswers(pool),
    drainMs,
    defects,
    // What this consumer has handled is a store's answer; append and events are the other's.
    failpoint: (name) => failpoint(name === 'after_append' ? 'after_answer' : 'after_asking'),
  });

  const publish = (messages: Parameters<typeof producer.send>[0]) =>
    messages.length === 0 ? Promise.resolve() : producer.send(messages);
  const pace = new LookUpPace(config.LOOK_UPS_PER_SECOND);
  const reconciliation = new Reconciliation({
    apps,
    lookUps,
    questions,
    observed,
    pace,
    publish,
    clock,
    logger,
    metrics,
  });
  const awaitedBuyers = new AwaitedBuyers({ lookUps, buyers, clock });
  const histories = new StoreHistories({
    ...{ pool, access, apps, guard, playChains, lookUps, heard, tokens, publish, clock, logger },
  });
  const revaluation = new Revaluation({ lookUps, rates, publish, clock });
  const works: readonly PeriodicWork[] = [
    {
      name: 'look-ups',
      pauseMs: lookUpsEveryMs,
      turn: async () => (await reconciliation.lookUpDue()) > 0,
    },
    {
      name: 'awaited buyers',
      pauseMs: lookUpsEveryMs,
      turn: () => awaitedBuyers.lookForNext().then(() => false),
    },
    {
      name: 'store histories',
      pauseMs: historiesEveryMs,
      turn: (stopping) => histories.readOn(stopping),
    },
    {
      name: 'heard events',
      pauseMs: forgettingEveryMs,
      turn: () => heard.forget(),
    },
    {
      name: 'revaluation',
      pauseMs: lookUpsEveryMs,
      turn: () => revaluation.valueDue().then(() => false),
    },
  ];
  const stops: (() => Promise<void>)[] = [];

  return {
    checks: [consumer, snapshots, book],
    start: async (stopping) => {
      const answered = (ask: () => Promise<void>) => untilDatabaseAnswers(ask, logger, stopping);
      await answered(() => requireMigrations(pool, 'purchase-validation'));
      await answered(() => requireMigrations(readModel, 'read-model'));
      await answered(() => requireMigrations(credentials, 'store-credentials'));
      await answered(() => requireProfileIdKey(readModel, profileIdKey, master));
      await Promise.all([producer.start(stopping), snapshots.start(), answered(() => book.start()), rates.start()]);
      await consumer.start();
      stops.push(...works.map((work) => periodically(work, logger)));
    },
    stop: async () => {
      rates.stop();
      // Together: as long as the one waits for the others, its partitions have nobody who answers.
      await Promise.all([consumer.stop(), ...stops.map((stop) => stop())]);
      await Promise.all([snapshots.stop(), book.stop()]);
      await producer.close();
      await Promise.all([pool.end(), readModel.end(), credentials.end()]);
    },
  };
}
