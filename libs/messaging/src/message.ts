/** A record as it came from the broker. `timestamp` is the broker's time of append, in milliseconds since the epoch. */
export interface ReceivedMessage {
  readonly topic: string;
  readonly partition: number;
  readonly offset: string;
  readonly key: string | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly value: Buffer | null;
  readonly timestamp: number;
}

/** A record to publish. One of `key` and `partition` is given, so that a retry cannot move it to another partition. */
export interface OutgoingMessage {
  readonly topic: string;
  readonly key?: string;
  readonly partition?: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Null is a tombstone. */
  readonly value: string | Buffer | null;
}

/** A partition of a topic. */
export interface TopicPartition {
  readonly topic: string;
  readonly partition: number;
}

/** Where a partition is to be read from. */
export interface PartitionStart extends TopicPartition {
  readonly offset: string;
}

/** Where a partition is to be read from, in place of where it is read. */
export interface Rewind extends PartitionStart {
  /**
   * Called when it is read from there, and what waits of it is forgotten. That it was asked for does not tell: where
   * something else of the batch fails, the same messages come again first.
   */
  readonly onMade?: () => void;
}

/** A message that nobody can handle. The reason is published and logged: it holds no part of the payload. */
export interface DeadLetter {
  readonly message: ReceivedMessage;
  readonly reason: string;
}

export interface BatchResult {
  readonly publish: readonly OutgoingMessage[];
  readonly deadLetters: readonly DeadLetter[];
  /**
   * Whether `publish` tells of what is stored already. Then it has to be told, however long the broker refuses it: a dead letter
   * in its place would leave a gap in the topic.
   */
  readonly stored?: true;
  /** Partitions of the batch to read from elsewhere next, in place of behind the batch. */
  readonly rewinds?: readonly Rewind[];
  /** What must have succeeded too before offsets move, and need not before the messages are published. */
  readonly beside?: Promise<unknown>;
}

/**
 * Handles messages of one topic; those of a partition are in offset order. Offsets move once `publish` is
 * acknowledged and `beside` resolved. A throw moves nothing: the same messages come again, partition by partition, after a back-off.
 */
export type BatchHandler = (messages: readonly ReceivedMessage[]) => Promise<BatchResult>;

/** The offset behind this one. Offsets are 64-bit numbers, written as text. */
export const offsetAfter = (offset: string): string => String(BigInt(offset) + 1n);
