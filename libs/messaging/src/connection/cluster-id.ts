import type { KafkaConnection } from './kafka-connection.ts';

/** The id of the Kafka cluster: another one means other topics, whose offsets have nothing to do with ours. */
export async function readClusterId({ client }: KafkaConnection): Promise<string> {
  const admin = client.admin();
  await admin.connect();
  try {
    return (await admin.describeCluster()).clusterId;
  } finally {
    await admin.disconnect();
  }
}
