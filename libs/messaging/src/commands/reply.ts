import type { OutgoingMessage } from '../message.ts';

/** Where a command's reply is awaited. */
export interface ReplyAddress {
  readonly commandId: string;
  readonly partition: number;
}

/** Null: nobody waits, or the headers do not say where. */
export function replyAddress(headers: Readonly<Record<string, string>>): ReplyAddress | null {
  const { id, 'reply-partition': partition } = headers;
  if (!id || partition === undefined || !/^\d{1,5}$/.test(partition)) return null;
  return { commandId: id, partition: Number(partition) };
}

/** @param text the JSON of a Reply, passed on byte for byte */
export const commandReply = (
  topic: string,
  { commandId, partition }: ReplyAddress,
  text: string,
  headers: Readonly<Record<string, string>>,
): OutgoingMessage => ({ topic, partition, headers: { id: commandId, ...headers }, value: text });
