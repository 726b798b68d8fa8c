import type { EachBatchPayload } from 'kafkajs';
import type { ReceivedMessage } from '../message.ts';

/** The messages of a fetched batch in the shape that handlers know. */
export function receivedMessages({ topic, partition, messages }: EachBatchPayload['batch']): ReceivedMessage[] {
  return messages.map(({ offset, key, headers, value, timestamp }) => ({
    topic,
    partition,
    offset,
    key: key === null ? null : key.toString(),
    headers: headers as ReceivedMessage['headers'], // our clients read them so: lean-decoders.ts
    value,
    timestamp: Number(timestamp),
  }));
}
