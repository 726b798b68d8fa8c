import type { OutgoingMessage } from '../message.ts';

/** What one `send` promised: settled when every message of it is acknowledged, or one is not. */
export interface Entry {
  unacknowledged: number;
  settled: boolean;
  /** By `performance.now()`; behind it the entry is no longer worth sending. */
  readonly deadline: number;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

export interface QueuedMessage {
  readonly entry: Entry;
  readonly message: OutgoingMessage;
  readonly bytes: number;
}

/**
 * Bounds of one request. They are kept for each topic, so each partition of it keeps them too: the messages of a
 * partition become ONE record batch, refused above `max.message.bytes`, and kafkajs's grouping is quadratic.
 */
const flushBounds = { bytes: 512 * 1024, messages: 1_000 };

/** Bytes a record has beside key, value and headers, at most. */
const overhead = 32;

/** Bytes that a message has in the log, at most. */
export function sizeOf({ key = '', headers, value }: OutgoingMessage): number {
  let bytes = overhead + Buffer.byteLength(key) + (value === null ? 0 : Buffer.byteLength(value));
  for (const [name, text] of Object.entries(headers)) bytes += name.length + Buffer.byteLength(text) + 4;
  return bytes;
}

/** How many messages from the head of the queue fit one request; a message above the bound travels alone. */
export function flushLength(queue: readonly QueuedMessage[], bounds = flushBounds): number {
  const taken = new Map<string, { bytes: number; messages: number }>();
  for (const [index, { message, bytes }] of queue.entries()) {
    const before = taken.get(message.topic) ?? { bytes: 0, messages: 0 };
    const after = { bytes: before.bytes + bytes, messages: before.messages + 1 };
    const full = after.bytes > bounds.bytes || after.messages > bounds.messages;
    if (full && before.messages > 0) return index;
    taken.set(message.topic, after);
  }
  return queue.length;
}

export function acknowledge({ entry }: QueuedMessage): void {
  entry.unacknowledged -= 1;
  if (entry.unacknowledged > 0 || entry.settled) return;
  entry.settled = true;
  entry.resolve();
}

/** Also ends the entry's messages that still wait: sent, they could overtake the one that failed. */
export function fail({ entry }: QueuedMessage, error: Error): void {
  if (entry.settled) return;
  entry.settled = true;
  entry.reject(error);
}
