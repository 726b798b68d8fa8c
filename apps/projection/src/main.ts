import 'reflect-metadata';
import { groups } from '@paywright/contracts';
import { createPool } from '@paywright/event-sourcing';
import { CoalescingProducer, createKafka, defectsFrom, failpointFrom, readClusterId } from '@paywright/messaging';
import { KafkaBatchServer, PassErrorsThrough } from '@paywright/messaging/nest';
import {
  announceReady,
  createLogger,
  kafkaAddress,
  Lifecycle,
  loadConfig,
  measurePool,
  Metrics,
  NestLogger,
  openClock,
  openTracing,
  refusePlainConnections,
  startManagementServer,
} from '@paywright/platform';
import { readModelSchema } from '@paywright/read-model';
import { NestFactory } from '@nestjs/core';
import { projectionConfig } from './config.ts';
import { openDeadLetterDesk } from './dead-letters/open-dead-letter-desk.ts';
import { projectionDefectsFrom } from './defects.ts';
import { ProjectionMetrics } from './projection-metrics.ts';
import { ProjectionModule } from './projection.module.ts';
import { allProjections, followAllTopics } from './projections.ts';
import { TopicFollowers } from './topic-followers.ts';

const service = 'projection';
const config = loadConfig(projectionConfig, process.env);
refusePlainConnections(config);
const logger = createLogger({ service, level: config.LOG_LEVEL });
const metrics = new Metrics({ service });
const time = openClock(config);
const { clock } = time;
const tracing = await openTracing(config, { name: service, instance: config.INSTANCE }, logger);
const { tracer } = tracing;
const lifecycle = new Lifecycle(logger);
lifecycle.install();

const kafka = createKafka({ ...kafkaAddress(config), clientId: service, logger });
const producer = new CoalescingProducer({ kafka, metrics, tracer, defects: defectsFrom(process.env) });
const pool = createPool({
  databaseUrl: config.DATABASE_URL,
  schema: readModelSchema,
  max: 6, // transactions at a time: more only wait for each other's processor
  patienceMs: 60_000,
  settings: {
    // Allowed here alone: rows and offset are lost together, which is found out, and read again.
    synchronous_commit: 'off',
    // A frozen owner's locks end before the group gives its partitions to another one.
    idle_in_transaction_session_timeout: '5s',
  },
  onIdleError: (error) => logger.warn({ error }, 'An idle database connection was lost'),
});
measurePool(metrics, 'read-model', pool);
const followers = new TopicFollowers(
  followAllTopics({
    pool,
    clock,
    logger,
    clusterId: await readClusterId(kafka),
    metrics: new ProjectionMetrics(metrics, clock),
    defects: projectionDefectsFrom(process.env),
    failpoint: failpointFrom(process.env),
  }),
  tracer,
);
const strategy = new KafkaBatchServer({
  kafka,
  producer,
  metrics,
  group: groups.projection,
  carries: 'events',
  restMs: (topic) => followers.restMs(topic),
  claim: (partitions) => followers.claim(partitions),
  findLost: (partitions) => followers.findLost(partitions),
  isDatabaseUp: () =>
    pool.query('select 1').then(
      () => true,
      () => false,
    ),
  defects: defectsFrom(process.env),
});
const deadLetters = openDeadLetterDesk({
  ...{ kafka, producer, pool, clock, logger, metrics },
  projections: allProjections(projectionDefectsFrom(process.env)),
  failpoint: failpointFrom(process.env),
});
const app = await NestFactory.createMicroservice(ProjectionModule.over(followers), {
  strategy,
  logger: new NestLogger(logger),
});
app.useGlobalFilters(new PassErrorsThrough());

const management = await startManagementServer({
  host: config.MANAGEMENT_HOST,
  port: config.MANAGEMENT_PORT,
  checks: [lifecycle.readiness(), producer, strategy, deadLetters.check],
  metrics,
  clock: time,
});
lifecycle.onShutdown('consumer', () => app.close());
lifecycle.onShutdown('dead letters', () => deadLetters.stop());
lifecycle.onShutdown('producer', () => producer.close());
lifecycle.onShutdown('database', () => pool.end());
lifecycle.onShutdown('traces', () => tracing.stop());
lifecycle.onShutdown('clock', () => time.stop());
lifecycle.onShutdown('management', () => management.close());

await time.start();
await producer.connect();
await deadLetters.start();
await app.listen();
announceReady({ management: management.url });
logger.info({ management: management.url }, 'Ready');
