import type { ReceivedMessage, TopicPartition } from '../message.ts';

/** Messages of one partition, in offset order, at least one. */
export interface Portion extends TopicPartition {
  readonly messages: readonly ReceivedMessage[];
}

/** Decides which of a topic's messages are handled when. */
export interface MessageDispatcher {
  add(portion: Portion): void;
  /** What is held of a partition, so that the reading of it can be paused. */
  waitingBytes(partition: number): number;
  /** Forgets what waits of a partition, or of all. What is in hand goes on. */
  forget(partition?: number): void;
  /** Begins nothing any more. Resolves when what is in hand has ended. */
  stop(): Promise<void>;
}

/** About what a message takes in memory. */
export const bytesOf = ({ key, value }: ReceivedMessage): number => 100 + (key?.length ?? 0) + (value?.length ?? 0);
