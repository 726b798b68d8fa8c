import type { EachBatchPayload } from 'kafkajs';
import type { FetchedRecord } from '../connection/record-batches.ts';
import type { ReceivedMessage } from '../message.ts';

/** The messages of a fetched batch in the shape that handlers know. */
export function receivedMessages({ topic, partition, messages }: EachBatchPayload['batch']): ReceivedMessage[] {
  const records = messages as readonly unknown[] as readonly FetchedRecord[]; // our clients read them so: fetch-in-sessions.ts
  return records.map(({ offset, key, headers, value, timestamp }) => ({
    topic,
    partition,
    offset,
    key,
    headers,
    value,
    timestamp,
  }));
}
