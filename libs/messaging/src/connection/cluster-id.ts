import { untilAnswered } from '@paywright/platform';
import type { KafkaConnection } from './kafka-connection.ts';
import { passesByWaiting } from './kafka-error.ts';
import { withAdmin } from './with-admin.ts';

/** Between rounds of kafkajs's own tries, which take some 6 s. */
const pause = { firstMs: 1_000, lastMs: 1_000 };

/**
 * The id of the Kafka cluster: another one means other topics, whose offsets have nothing to do with ours.
 * @throws if no broker answers
 */
export async function readClusterId(kafka: KafkaConnection): Promise<string> {
  const { clusterId } = await withAdmin(kafka, (admin) => admin.describeCluster());
  return clusterId;
}

/**
 * The same, once a broker answers: for what lives on its servers, and has nothing to do without them.
 * @throws what waiting does not change: brokers refuse the user, or have a certificate of somebody else; the signal's
 * reason
 */
export async function awaitClusterId(kafka: KafkaConnection, until?: AbortSignal): Promise<string> {
  const onFailure = (error: unknown) => kafka.logger.warn({ error }, 'No broker answers yet: waiting for one');
  return untilAnswered(() => readClusterId(kafka), { pause, passes: passesByWaiting, until, onFailure });
}

/** Resolves once a broker answers. @throws as awaitClusterId does */
export async function untilBrokerAnswers(kafka: KafkaConnection, until?: AbortSignal): Promise<void> {
  await awaitClusterId(kafka, until);
}
