import type { KafkaConnection } from './kafka-connection.ts';
import { untilReached } from './until-reached.ts';
import { withAdmin } from './with-admin.ts';

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
  return untilReached(kafka, () => readClusterId(kafka), until);
}

/** Resolves once a broker answers. @throws as awaitClusterId does */
export async function untilBrokerAnswers(kafka: KafkaConnection, until?: AbortSignal): Promise<void> {
  await awaitClusterId(kafka, until);
}
