import { topics, type AnyCommandDefinition, type ReplyOf } from '@paywright/contracts';
import type { OutgoingMessage, ReceivedMessage } from '../message.ts';
import { commandReply, replyAddress } from './reply.ts';

/** The reply of a command that was carried out, where no stream is written: none if nobody waits for it. */
export function acceptanceOf<D extends AnyCommandDefinition>(
  { headers, key }: ReceivedMessage,
  body: ReplyOf<D>,
): OutgoingMessage[] {
  const address = replyAddress(headers);
  if (address === null) return [];
  const text = JSON.stringify({ status: 'accepted', streamVersion: 0, body });
  return [commandReply(topics.gatewayReplies, address, text, { status: 'accepted', stream: key ?? '' })];
}
