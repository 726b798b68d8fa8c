import type { EachBatchPayload, IHeaders } from 'kafkajs';
import type { ReceivedMessage } from '../message.ts';

/** The messages of a fetched batch in the shape that handlers know. */
export function receivedMessages({ topic, partition, messages }: EachBatchPayload['batch']): ReceivedMessage[] {
  return messages.map(({ offset, key, headers, value, timestamp }) => ({
    topic,
    partition,
    offset,
    key: key === null ? null : key.toString(),
    headers: textHeaders(headers ?? {}),
    value,
    timestamp: Number(timestamp),
  }));
}

/**
 * Header values arrive as buffers, or as arrays of them where a name was given twice: then the last one counts. One without
 * a value, which kafkajs's types do not tell of, is as good as absent.
 */
function textHeaders(headers: IHeaders): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    const last: Buffer | string | null | undefined = Array.isArray(value) ? value.at(-1) : value;
    if (last !== undefined && last !== null) texts[name] = last.toString();
  }
  return texts;
}
