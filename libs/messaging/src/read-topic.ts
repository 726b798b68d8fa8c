import type { KafkaConnection } from './connection/kafka-connection.ts';
import { PrivateReader } from './consumer/private-reader.ts';
import type { ReceivedMessage } from './message.ts';

/** Shows everything that a topic holds now, in order within each partition. @throws if the topic does not exist */
export async function readTopic(
  kafka: KafkaConnection,
  topic: string,
  onMessage: (message: ReceivedMessage) => void,
): Promise<void> {
  const reader = new PrivateReader({ kafka, groupPrefix: 'read-once', topic, from: 'beginning', onMessage });
  await reader.start();
  await reader.readToEnd();
  await reader.stop();
}
