export { createKafka, type KafkaConnection, type KafkaOptions } from './connection/kafka-connection.ts';
export { awaitClusterId, readClusterId, untilBrokerAnswers } from './connection/cluster-id.ts';
export { untilReached } from './connection/until-reached.ts';
export * from './message.ts';
export * from './errors.ts';
export * from './defects.ts';
export * from './failpoint.ts';
export * from './dead-letter.ts';
export * from './services.ts';
export { CoalescingProducer, type CoalescingProducerOptions } from './producer/coalescing-producer.ts';
export { sizeOf } from './producer/queue.ts';
export { BatchConsumer } from './consumer/batch-consumer.ts';
export type { BatchConsumerOptions } from './consumer/batch-consumer-options.ts';
export type { Claim } from './consumer/claims.ts';
export { BrokerTime } from './broker-time.ts';
export { CompactedTopicReader } from './compacted-topic-reader.ts';
export { NewestRecords, type NewestRecordsOptions, type RecordReader } from './newest-records.ts';
export {
  CommandClient,
  type CommandClientOptions,
  type CommandToPost,
  type CommandToSend,
} from './commands/command-client.ts';
export { decodeCommands } from './commands/decode-commands.ts';
export { inPlaceOf, refusalOf, unawaitedCommand } from './commands/follow-up.ts';
export { acceptanceOf } from './commands/acceptance.ts';
export { commandResults } from './commands/command-results.ts';
export { retriedCommand } from './commands/retried-command.ts';
export { cloudEventType, eventTimeOf, toCloudEvent } from './events/cloud-event.ts';
export { decodeEvent, eventDecoder, type ReceivedEvent } from './events/decode-event.ts';
export { personalMessage } from './events/personal-message.ts';
export { findRecord, readPartition, type PartitionPart } from './read-partition.ts';
export { readTopic } from './read-topic.ts';
export { NewestByApp } from './newest-by-app.ts';
export { RangeReader, readRanges, type PartitionRange } from './read-ranges.ts';
export { traceBatches } from './tracing/trace-batches.ts';
export * from './topics/topic-manifest.ts';
export * from './topics/create-topics.ts';
export * from './topics/topic-use.ts';
