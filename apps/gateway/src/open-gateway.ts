import { AppSnapshot, topics } from '@paywright/contracts';
import {
  DatabaseCheck,
  DatabaseClock,
  openPool,
  requireMigrations,
  untilDatabaseAnswers,
  type OpenPoolOptions,
} from '@paywright/event-sourcing';
import {
  CoalescingProducer,
  CommandClient,
  CompactedTopicReader,
  createKafka,
  untilBrokerAnswers,
} from '@paywright/messaging';
import {
  deriveKey,
  kafkaAddress,
  masterKeys,
  profileIdPurpose,
  readyFromThen,
  Sealing,
  SystemClock,
  type ProcessContext,
  type ProcessParts,
} from '@paywright/platform';
import {
  CatalogQueries,
  DeadLetterQueries,
  DecisionQueries,
  ExportQueries,
  ModelQueries,
  PlacementReportQueries,
  ProfileQueries,
  PurchaseQueries,
  ReadModelProgress,
  readModelSchema,
  requireProfileIdKey,
  TimelineQueries,
} from '@paywright/read-model';
import { SessionTokens } from '@paywright/session-token';
import {
  StoreAccess,
  StoreCredentialsBook,
  storeCredentialsPurpose,
  storeCredentialsSchema,
} from '@paywright/store-credentials';
import { googleKeys, storeSettings } from '@paywright/stores';
import { Apps } from './catalog/apps.ts';
import type { GatewayConfig } from './config.ts';
import { gatewayDefectsFrom } from './defects.ts';
import type { GatewayParts } from './gateway-parts.ts';
import { PostgresIdempotencyStore } from './idempotency/postgres-idempotency-store.ts';
import { PostgresJsonbAnswers } from './idempotency/postgres-jsonb-answers.ts';
import { purgeExpired } from './idempotency/purge-expired.ts';
import { ProfileIds } from './profiles/profile-ids.ts';
import { UnshownProfiles } from './profiles/unshown-profiles.ts';

const readConnections = 8;
const ownConnections = 5;
/** Reports read much: they wait for each other, and nobody for them. */
const reportConnections = 2;
const reportPatienceMs = 20_000;
/** Millions of rows are sorted and joined; compiling a report's many expressions took longer than it saved. */
const reportSettings = { work_mem: '64MB', jit: 'off' };
const credentialsConnections = 2;
const tokenKeyId = 1;
const tokenPurpose = 'session-token';

export interface OpenGateway extends ProcessParts {
  readonly parts: GatewayParts;
}

/** Puts the gateway's live parts together; nothing is connected before `start`. */
export function openGateway(context: ProcessContext<GatewayConfig>): OpenGateway {
  const { config, logger, metrics, tracer } = context;
  const open = (pool: Omit<OpenPoolOptions, 'databaseUrl'>) =>
    openPool({ databaseUrl: config.DATABASE_URL, ...pool }, context);
  const own = open({ name: 'gateway', schema: 'gateway', max: ownConnections });
  const clock = new DatabaseClock(own, context.clock);
  const kafka = createKafka({ ...kafkaAddress(config), clientId: `gateway-${config.INSTANCE}`, logger });
  const producer = new CoalescingProducer({ kafka, metrics, tracer });
  const commands = new CommandClient({
    ...{ kafka, producer, clock, metrics, tracer },
    instance: config.INSTANCE,
    maxPending: config.MAX_IN_FLIGHT, // who is refused first is for the load limit to say
  });
  const apps = new Apps();
  const snapshots = new CompactedTopicReader({
    kafka,
    topic: topics.catalogSnapshots,
    schema: AppSnapshot,
    metrics,
    onRecord: (_appId, snapshot) => snapshot !== null && apps.apply(snapshot),
  });
  const readModel = open({ name: 'read-model', schema: readModelSchema, max: readConnections });
  const reports = open({
    name: 'reports',
    schema: readModelSchema,
    max: reportConnections,
    waitMs: reportPatienceMs,
    patienceMs: reportPatienceMs,
    settings: reportSettings,
  });
  const databaseCheck = new DatabaseCheck(readModel, clock, logger);
  const progress = new ReadModelProgress({ pool: readModel, clock });
  const asJsonb = gatewayDefectsFrom(process.env).has('answer-as-jsonb');
  const idempotencyKeys = new (asJsonb ? PostgresJsonbAnswers : PostgresIdempotencyStore)(own);
  const storeCredentials = open({
    name: 'store-credentials',
    schema: storeCredentialsSchema,
    max: credentialsConnections,
  });
  const master = masterKeys(config);
  const profileIdKey = deriveKey(master.profileIds, profileIdPurpose);
  const sealing = new Sealing(master.newest, storeCredentialsPurpose, master.former);
  const credentials = new StoreCredentialsBook({ pool: storeCredentials, sealing, clock, logger, metrics });
  const settings = storeSettings(config);
  const unshownProfiles = new UnshownProfiles(own);
  const stops: (() => Promise<void>)[] = [];

  const parts: GatewayParts = {
    config,
    logger,
    metrics,
    tracer,
    clock,
    apps,
    commands,
    profiles: new ProfileQueries(readModel),
    unshownProfiles,
    timeline: new TimelineQueries(readModel),
    decisions: new DecisionQueries(readModel),
    deadLetters: new DeadLetterQueries(readModel),
    exports: new ExportQueries(reports),
    catalogs: new CatalogQueries(readModel),
    models: new ModelQueries(readModel, reports),
    reports: new PlacementReportQueries(reports),
    purchases: new PurchaseQueries(readModel),
    progress,
    tokens: new SessionTokens(
      [master.newest, ...master.former].map((key) => ({ id: tokenKeyId, secret: deriveKey(key, tokenPurpose) })),
    ),
    profileIds: new ProfileIds(profileIdKey),
    credentials,
    stores: new StoreAccess({ book: credentials, settings, clock, wallClock: new SystemClock() }),
    googleKeys: googleKeys(settings.googleKeys.url, settings.googleKeys.timeoutMs),
    idempotencyKeys,
  };
  return {
    parts,
    // Without brokers it serves Baseline: whoever goes by its readiness must not take that away.
    checks: [producer, readyFromThen(commands), readyFromThen(snapshots), credentials, databaseCheck],
    start: async (stopping) => {
      const answered = (ask: () => Promise<void>) => untilDatabaseAnswers(ask, logger, stopping);
      const databaseStarts = async () => {
        await databaseCheck.start(stopping);
        await clock.start(logger, stopping);
        await answered(() => requireMigrations(own, 'gateway'));
        await answered(() => requireMigrations(readModel, 'read-model'));
        await answered(() => requireMigrations(storeCredentials, 'store-credentials'));
        await answered(() => requireProfileIdKey(readModel, profileIdKey, master));
      };
      await Promise.all([databaseStarts(), untilBrokerAnswers(kafka, stopping)]);
      await Promise.all([
        producer.start(stopping),
        commands.start(),
        snapshots.start(),
        answered(() => progress.start()),
        answered(() => credentials.start()),
      ]);
      stops.push(purgeExpired([idempotencyKeys, unshownProfiles], clock, logger));
    },
    closeWith: (lifecycle) => {
      lifecycle.onShutdown('commands', () => commands.stop());
      lifecycle.onShutdown('producer', () => producer.close());
      lifecycle.onShutdown('app snapshots', () => snapshots.stop());
      lifecycle.onShutdown('databases', async () => {
        databaseCheck.stop();
        await Promise.all([progress.stop(), credentials.stop(), clock.stop(), ...stops.map((stop) => stop())]);
        await Promise.all([readModel.end(), reports.end(), own.end(), storeCredentials.end()]);
      });
    },
  };
}
