import { NestFactory } from '@nestjs/core';
import { groups } from '@paywright/contracts';
import { databaseAnswers, DatabaseCheck, requireMigrations, untilDatabaseAnswers } from '@paywright/event-sourcing';
import { CoalescingProducer, createKafka, defectsFrom, failpointFrom, awaitClusterId } from '@paywright/messaging';
import { KafkaBatchServer, PassErrorsThrough } from '@paywright/messaging/nest';
import { kafkaAddress, NestLogger, type ProcessContext, type ProcessParts } from '@paywright/platform';
import type { ProjectionConfig } from './config.ts';
import { openDeadLetterDesk } from './dead-letters/open-dead-letter-desk.ts';
import { projectionDefectsFrom } from './defects.ts';
import { TopicFollower } from './following/topic-follower.ts';
import { openReadModel } from './open-read-model.ts';
import { ProjectionMetrics } from './projection-metrics.ts';
import { ProjectionModule } from './projection.module.ts';
import { RebuildDue } from './rebuild/rebuild-due.ts';
import { contradictionsTold, liveProjections } from './projections.ts';
import { TopicFollowers } from './topic-followers.ts';

/** Within a transaction, whose connection ends when it rests for 5 s. */
const publishWithinMs = 3_000;

/** Puts the projection's live parts together. The broker is asked who it is: offsets are kept by its name. */
export async function openProjection(context: ProcessContext<ProjectionConfig>): Promise<ProcessParts> {
  const { config, clock, logger, metrics, tracer } = context;
  const kafka = createKafka({ ...kafkaAddress(config), clientId: 'projection', logger });
  const messagingDefects = defectsFrom(process.env);
  const defects = projectionDefectsFrom(process.env);
  const failpoint = failpointFrom(process.env);
  const producer = new CoalescingProducer({ kafka, metrics, tracer, defects: messagingDefects });
  const pool = openReadModel(config.DATABASE_URL, context);
  const database = new DatabaseCheck(pool, clock, logger);
  const projectionMetrics = new ProjectionMetrics(metrics, clock);
  const projections = liveProjections(defects, {
    publish: (messages) => producer.sendWithDeadline(messages, publishWithinMs),
    tell: contradictionsTold({ logger, metrics: projectionMetrics }),
  });
  const following = {
    ...{ pool, clock, logger, defects, failpoint },
    clusterId: await awaitClusterId(kafka),
    metrics: projectionMetrics,
  };
  const followers = new TopicFollowers(
    projections.map((projection) => new TopicFollower(projection, following)),
    tracer,
  );
  const consumer = new KafkaBatchServer({
    ...{ kafka, producer, metrics, defects: messagingDefects },
    group: groups.projection,
    carries: 'events',
    restMs: (topic) => followers.restMs(topic),
    claim: (partitions, anew) => followers.claim(partitions, anew),
    findLost: (partitions) => followers.findLost(partitions),
    isDatabaseUp: databaseAnswers(pool),
  });
  const deadLetters = openDeadLetterDesk({ kafka, producer, pool, projections, clock, logger, metrics, failpoint });
  const rebuildDue = new RebuildDue(pool, context);
  const app = await NestFactory.createMicroservice(ProjectionModule.over(followers), {
    strategy: consumer,
    logger: new NestLogger(logger),
  });
  app.useGlobalFilters(new PassErrorsThrough());

  return {
    checks: [producer, consumer, database, deadLetters.check],
    start: async (stopping) => {
      await database.start(stopping);
      await untilDatabaseAnswers(() => requireMigrations(pool, 'read-model'), logger, stopping);
      await producer.start(stopping);
      await deadLetters.start();
      rebuildDue.start();
      await app.listen();
    },
    closeWith: (lifecycle) => {
      lifecycle.onShutdown('consumer', () => app.close());
      lifecycle.onShutdown('rebuild due', () => rebuildDue.stop());
      lifecycle.onShutdown('dead letters', () => deadLetters.stop());
      lifecycle.onShutdown('producer', () => producer.close());
      lifecycle.onShutdown('database', async () => {
        database.stop();
        await pool.end();
      });
    },
  };
}
