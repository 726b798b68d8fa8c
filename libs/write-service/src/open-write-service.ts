import type { DynamicModule, INestMicroservice, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { eventsOf, type Command, type DomainEvent } from '@paywright/contracts';
import {
  brokenStore,
  createCommandProcessor,
  databaseAnswers,
  DatabaseCheck,
  DatabaseClock,
  type DefectActions,
  EventLog,
  eventSourcingDefectsFrom,
  eventStoreSettings,
  openPool,
  PostgresEventStore,
  requireFilledTopics,
  requireMigrations,
  StreamStates,
  upcastersOf,
  upcasting,
  untilDatabaseAnswers,
} from '@paywright/event-sourcing';
import {
  BrokerTime,
  CoalescingProducer,
  CompactedTopicReader,
  createKafka,
  defectsFrom,
  eventTopicOf,
  failpointFrom,
  mostEventBytesOf,
  NewestRecords,
  toCloudEvent,
  traceBatches,
  untilBrokerAnswers,
} from '@paywright/messaging';
import { KafkaBatchServer, PassErrorsThrough } from '@paywright/messaging/nest';
import { kafkaAddress, type Logger, NestLogger, type ProcessContext, type ProcessParts } from '@paywright/platform';
import { CommandBatchHandler, createCommandBatchHandler } from './command-batch-handler.ts';
import { forgetOldCommands } from './forget-old-commands.ts';
import { MeasuredEventStore } from './measured-event-store.ts';
import { observedProcessor } from './observed-processor.ts';
import type { WriteService } from './start-write-service.ts';
import { stateRecords } from './state-records.ts';
import { toldVersion, VersionedRecord } from './told-version.ts';
import type { WriteServiceConfig } from './write-service-config.ts';
import type { z } from 'zod';

/** Appends are gathered into one at a time; loads, inbox questions and the health check are beside it. */
const connections = 6;
/** At 300 commands/s each would come alone, and cost its own fetch, append and publication: some share them so. */
const restMs = 2;
/** What is in hand when the process is told to stop is done, not left to another instance. */
const drainMs = 5_000;
/** The parts may have a consumer too, with more in hand: a store answers within 5 s. */
const partsStopMs = 10_000;

const otherServer =
  'The database is another server, or has started over, and may lack commits: the states of streams are read again';

/** Puts a write service's live parts together; nothing is connected before `start`. */
export async function openWriteService<
  Schema extends z.ZodObject & z.ZodType<WriteServiceConfig>,
  C extends Command,
  S,
  E extends DomainEvent,
>(
  { name, topic, module, assemble }: WriteService<Schema, C, S, E>,
  context: ProcessContext<z.output<Schema>>,
): Promise<ProcessParts> {
  const { config, logger, metrics, tracer } = context;
  const kafka = createKafka({ ...kafkaAddress(config), clientId: `${name}-${config.INSTANCE}`, logger });
  const messagingDefects = defectsFrom(process.env);
  const defects = eventSourcingDefectsFrom(process.env);
  const producer = new CoalescingProducer({ kafka, metrics, tracer, defects: messagingDefects });
  const pool = openPool(
    {
      name: 'event-store',
      databaseUrl: config.DATABASE_URL,
      schema: name,
      max: connections,
      settings: eventStoreSettings,
    },
    context,
  );
  const clock = new DatabaseClock(pool, context.clock);
  const database = new DatabaseCheck(pool, clock, logger);
  const failpoint = failpointFrom(process.env);
  const defectActions: DefectActions = {
    publish: (events) => producer.send(events.map((event) => toCloudEvent(name, event, event.stream))),
    afterInbox: () => failpoint('after_append'),
  };
  const onOtherServer = () => logger.warn({ pool: 'event-store' }, otherServer);
  const written = brokenStore(new PostgresEventStore(pool, onOtherServer), defects, defectActions);
  const store = new MeasuredEventStore(written, metrics, tracer);
  let stopForgetting = async (): Promise<void> => {};

  const parts = await assemble({ ...context, clock, kafka });
  const upcasters = upcastersOf(eventsOf[eventTopicOf[name]]);
  const mostEventBytes = mostEventBytesOf[name];
  const processor = createCommandProcessor({ ...parts, upcasters, store, defects, mostEventBytes });
  const observed = observedProcessor(processor, metrics, logger);
  const brokerTime = new BrokerTime(clock);
  const { handle } = createCommandBatchHandler({ ...parts, service: name, topic, process: observed, brokerTime });
  const handler = new CommandBatchHandler(traceBatches(tracer, 'process', handle));
  const consumer = new KafkaBatchServer({
    kafka,
    group: name,
    producer,
    metrics,
    carries: 'commands',
    onFetched: (messages) => brokerTime.shownBy(messages),
    restMs: () => restMs,
    isDatabaseUp: databaseAnswers(pool),
    defects: messagingDefects,
    failpoint,
    drainMs,
  });
  const { decider, extraRecords = () => [], stateTopic } = parts;
  const log = new EventLog(pool);
  const upcast = upcasting(upcasters);
  const telling = { log, states: new StreamStates(decider, store, upcast, 1), extraRecords, upcast };
  const newest =
    stateTopic !== undefined &&
    new NewestRecords({
      topic: stateTopic.topic,
      reader:
        stateTopic.reader ??
        new CompactedTopicReader({ kafka, metrics, topic: stateTopic.topic, schema: VersionedRecord }),
      versionOf: (record) => toldVersion(record, stateTopic.edition),
      streamOf: stateTopic.streamOf ?? ((key) => key),
      versions: (told) => (stateTopic.streamOf ? log.versionsOf(told) : log.versions()),
      recordsOf: (stream) => stateRecords(stateTopic.topic, stream, telling),
      publish: (records) => producer.send(records),
      logger,
    });
  const app = await createMicroservice(module, handler, consumer, logger);

  return {
    checks: [consumer, producer, database, ...(parts.checks ?? [])],
    start: async (stopping) => {
      const databaseAnswered = database.start(stopping).then(() => clock.start(logger, stopping));
      await Promise.all([databaseAnswered, untilBrokerAnswers(kafka, stopping)]);
      await untilDatabaseAnswers(() => requireMigrations(pool, 'event-store'), logger, stopping);
      await untilDatabaseAnswers(() => requireFilledTopics(pool), logger, stopping);
      stopForgetting = forgetOldCommands(store, logger);
      await Promise.all([producer.start(stopping), parts.start?.(stopping), newest && newest.start()]);
      await app.listen();
    },
    closeWith: (lifecycle) => {
      lifecycle.onShutdown('consumer', () => app.close(), drainMs + 3_000);
      if (newest) lifecycle.onShutdown('newest records', () => newest.stop());
      lifecycle.onShutdown('producer', () => producer.close());
      lifecycle.onShutdown(`parts of ${name}`, async () => parts.stop?.(), partsStopMs);
      lifecycle.onShutdown('database', async () => {
        await Promise.all([stopForgetting(), clock.stop()]);
        database.stop();
        await pool.end();
      });
    },
  };
}

async function createMicroservice(
  module: Type,
  handler: CommandBatchHandler,
  strategy: KafkaBatchServer,
  logger: Logger,
): Promise<INestMicroservice> {
  class WriteServiceModule {}
  const root: DynamicModule = {
    module: WriteServiceModule,
    global: true,
    imports: [module],
    providers: [{ provide: CommandBatchHandler, useValue: handler }],
    exports: [CommandBatchHandler],
  };
  const app = await NestFactory.createMicroservice(root, { strategy, logger: new NestLogger(logger) });
  app.useGlobalFilters(new PassErrorsThrough());
  return app;
}
