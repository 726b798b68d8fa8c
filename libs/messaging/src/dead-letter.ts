import { createHash } from 'node:crypto';
import { deadLetterTopic, eventsOf, topics } from '@paywright/contracts';
import { commandReply, replyAddress } from './commands/reply.ts';
import type { DeadLetter, OutgoingMessage, ReceivedMessage } from './message.ts';

/** What a group makes of its dead letters: what is published in place of a result. */
export type DeadLetterOffice = (deadLetter: DeadLetter) => readonly OutgoingMessage[];

/** Headers of our own messages, none of which holds a personal field. Others are not carried on. */
const ownHeaders = new Set(
  'id type version app issued-at deadline reply-partition traceparent request-id content-type'.split(' '),
);
const isEventHeader = (name: string) => name.startsWith('ce_');

/** Only what these topics carry is free of personal fields. */
const isEventTopic = (topic: string) => Object.hasOwn(eventsOf, topic);

/**
 * The dead letters of a group that follows events. Published is `<group>.dead-letter`, keyed as the message was,
 * with its headers and:
 * `dead-letter-topic`, `-partition`, `-offset`, `-key`, `-reason`, `-payload-sha256` (hex), `-payload-length` (bytes).
 * The payload is carried if the topic is one of events, which hold no personal fields; else its hash must do.
 */
export const deadLettersOfFollower =
  (group: string, carriesPayload: (topic: string) => boolean = isEventTopic): DeadLetterOffice =>
  ({ message, reason }) => [deadLetterRecord(group, message, reason, carriesPayload(message.topic))];

/**
 * The dead letters of a group that takes commands: never with the payload, since commands may hold personal fields
 * and expire within days, while dead letters stay. Whoever waits for a reply is told that the command failed.
 */
export const deadLettersOfCommands =
  (group: string): DeadLetterOffice =>
  ({ message, reason }) => {
    const record = deadLetterRecord(group, message, reason, false);
    const address = replyAddress(message.headers);
    if (address === null) return [record];
    return [record, commandReply(topics.gatewayReplies, address, JSON.stringify({ status: 'failed', reason }), {})];
  };

function deadLetterRecord(
  group: string,
  { topic, partition, offset, key, headers, value }: ReceivedMessage,
  reason: string,
  withPayload: boolean,
): OutgoingMessage {
  const kept = Object.entries(headers).filter(([name]) => ownHeaders.has(name) || isEventHeader(name));
  const payload = value ?? Buffer.alloc(0);
  return {
    topic: deadLetterTopic(group),
    key: key ?? `${topic}/${partition}`,
    headers: {
      ...Object.fromEntries(kept),
      'dead-letter-topic': topic,
      'dead-letter-partition': String(partition),
      'dead-letter-offset': offset,
      'dead-letter-key': key ?? '',
      'dead-letter-reason': reason,
      'dead-letter-payload-sha256': createHash('sha256').update(payload).digest('hex'),
      'dead-letter-payload-length': String(payload.length),
    },
    value: withPayload ? value : '',
  };
}

/** In characters: longer texts of others than us are left out. */
const longestText = 1_000;

/**
 * What is left of a record of a dead letter that is too long for its topic, as it may be since it adds its headers to a message
 * of the greatest length: where the message stands, and why it is one. It is found there as long as its own topic keeps it.
 */
export function shortDeadLetter({ topic, key = '', headers }: OutgoingMessage): OutgoingMessage {
  const short = (text: string) => (text.length > longestText ? '' : text);
  const texts = Object.entries(headers).map(([name, text]) => [name, short(text)] as const);
  const reason = headers['dead-letter-reason']?.slice(0, longestText) ?? '';
  return { topic, key: short(key), headers: { ...Object.fromEntries(texts), 'dead-letter-reason': reason }, value: '' };
}
