import type { FetchAnswer } from 'kafkajs/src/broker/index.js';
import { ByteReader } from './byte-reader.ts';
import { readRecordBatches } from './record-batches.ts';

/** Of the request; what older brokers know lacks some fields. */
export const fetchVersion = 11;

/** What a broker answers a fetch with. @throws KafkaJSNonRetriableError where records are in a format that nobody reads here */
export async function decodeFetch(bytes: Buffer): Promise<FetchAnswer> {
  const reader = new ByteReader(bytes);
  const clientSideThrottleTime = reader.int32(); // the broker leaves the wait to kafkajs
  const errorCode = reader.int16();
  const sessionId = reader.int32();
  const responses = reader.array(async () => ({
    topicName: reader.text(reader.int16()),
    partitions: await Promise.all(reader.array(() => readPartition(reader))),
  }));
  return { throttleTime: 0, clientSideThrottleTime, errorCode, sessionId, responses: await Promise.all(responses) };
}

async function readPartition(reader: ByteReader) {
  const head = {
    partition: reader.int32(),
    errorCode: reader.int16(),
    highWatermark: String(reader.int64()),
    lastStableOffset: String(reader.int64()),
    lastStartOffset: String(reader.int64()),
    abortedTransactions: reader.array(() => ({
      producerId: String(reader.int64()),
      firstOffset: String(reader.int64()),
    })),
    preferredReadReplica: reader.int32(),
  };
  const batches = reader.slice(Math.max(0, reader.int32()));
  return { ...head, messages: await readRecordBatches(batches) };
}
