/** What scripts need of topics, without the rest of the lib, which loads Nest. */
export { createKafka, type KafkaConnection } from '../connection/kafka-connection.ts';
export { withAdmin, type Admin } from '../connection/with-admin.ts';
export { decodeEvent, type ReceivedEvent } from '../events/decode-event.ts';
export type { ReceivedMessage } from '../message.ts';
export { readRanges } from '../read-ranges.ts';
export { readTopic } from '../read-topic.ts';
export * from './topic-manifest.ts';
export * from './create-topics.ts';
export { HarmfulTopics } from './topic-differences.ts';
export * from './topic-use.ts';
