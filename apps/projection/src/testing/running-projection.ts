import { randomUUID } from 'node:crypto';
import { createPool } from '@paywright/event-sourcing';
import { BatchConsumer, CoalescingProducer, readClusterId, type KafkaConnection } from '@paywright/messaging';
import { Metrics } from '@paywright/platform';
import { readModelSchema } from '@paywright/read-model';
import { createLogger } from '@paywright/platform';
import { TopicFollower } from '../following/topic-follower.ts';
import { ProjectionMetrics } from '../projection-metrics.ts';
import { contradictionsTold, liveProjections } from '../projections.ts';
import { TopicFollowers } from '../topic-followers.ts';
import { clock } from './read-model.ts';

/** An instance of the projection, as open-projection.ts puts it together, in the test's own process. */
export async function startProjection(kafka: KafkaConnection, databaseUrl: string): Promise<AsyncDisposable> {
  const metrics = new Metrics();
  const pool = createPool({
    databaseUrl,
    schema: readModelSchema,
    max: 6,
    patienceMs: 60_000,
  });
  const producer = new CoalescingProducer({ kafka, metrics });
  const following = {
    ...{ pool, clock, defects: new Set<never>(), failpoint: () => undefined },
    clusterId: await readClusterId(kafka),
    logger: createLogger({ service: 'test', level: 'error' }),
    metrics: new ProjectionMetrics(metrics, clock),
  };
  const projections = liveProjections(new Set(), {
    publish: (messages) => producer.send(messages),
    tell: contradictionsTold(following),
  });
  const followers = projections.map((projection) => new TopicFollower(projection, following));
  const byTopic = new TopicFollowers(followers);
  const consumer = new BatchConsumer({
    ...{ kafka, producer, metrics },
    group: `projection-${randomUUID()}`,
    topic: followers.map(({ topic }) => topic),
    carries: 'events',
    claim: (partitions, anew) => byTopic.claim(partitions, anew),
    findLost: (partitions) => byTopic.findLost(partitions),
    // The dead letters' own topic is no part of the test.
    handler: async (messages) => ({ ...(await byTopic.handle(messages)), deadLetters: [] }),
  });
  await producer.connect();
  await consumer.start();
  return {
    [Symbol.asyncDispose]: async () => {
      await consumer.stop();
      await producer.close();
      await pool.end();
    },
  };
}
