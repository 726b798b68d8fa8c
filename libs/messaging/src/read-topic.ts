import type { KafkaConnection } from './connection/kafka-connection.ts';
import { readsOnceMs } from './consumer/open-consumer.ts';
import { PrivateReader } from './consumer/private-reader.ts';
import type { ReceivedMessage } from './message.ts';

/** Shows everything that a topic holds now, in order within each partition. @throws if the topic does not exist */
export async function readTopic(
  kafka: KafkaConnection,
  topic: string,
  onMessage: (message: ReceivedMessage) => void,
): Promise<void> {
  const settings = { groupPrefix: 'read-once', from: 'beginning', mostWaitMs: readsOnceMs } as const;
  const reader = new PrivateReader({ kafka, topic, onMessage, ...settings });
  await reader.start();
  await reader.readToEnd();
  await reader.stop();
}
