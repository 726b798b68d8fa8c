import { topics, type AnyCommandDefinition, type Refusal } from '@paywright/contracts';
import type { z } from 'zod';
import type { OutgoingMessage, ReceivedMessage } from '../message.ts';
import { headersOfCommand } from './command-headers.ts';
import { commandReply, replyAddress } from './reply.ts';
import { topicOfCommand } from './topic-of-command.ts';

/** A command that nobody awaits. `issuedAt` in milliseconds since the epoch. */
export interface UnawaitedCommand<D extends AnyCommandDefinition> {
  readonly id: string;
  readonly appId: number;
  readonly key: string;
  readonly body: z.output<D['body']>;
  readonly issuedAt: number;
  readonly traceparent?: string | undefined;
}

/** Later than any clock of ours: what is worth doing however late. */
export const never = 999_999_999_999_999;

/** A command of our own accord: it is worth doing however late. */
export function unawaitedCommand<D extends AnyCommandDefinition>(
  definition: D,
  { id, appId, key, body, issuedAt, traceparent }: UnawaitedCommand<D>,
): OutgoingMessage {
  const { type, version } = definition;
  const headers = { id, type, version, app: appId, 'issued-at': issuedAt, deadline: never, traceparent };
  return { topic: topicOfCommand(definition), key, headers: headersOfCommand(headers), value: JSON.stringify(body) };
}

/** The command that a request leads to, in its place: of the same id, deadline and trace, for the same waiting client. */
export function inPlaceOf<D extends AnyCommandDefinition>(
  { headers }: ReceivedMessage,
  definition: D,
  { key, body }: { readonly key: string; readonly body: z.output<D['body']> },
): OutgoingMessage {
  const { type, version } = definition;
  return {
    topic: topicOfCommand(definition),
    key,
    headers: { ...headers, type, version: String(version) },
    value: JSON.stringify(body),
  };
}

/** The reply of a request that is refused before any stream was asked; none if nobody waits for it. */
export function refusalOf({ headers, key }: ReceivedMessage, refusal: Refusal): OutgoingMessage[] {
  const address = replyAddress(headers);
  if (address === null) return [];
  const text = JSON.stringify({ status: 'refused', refusal });
  return [commandReply(topics.gatewayReplies, address, text, { status: 'refused', stream: key ?? '' })];
}
