import type { Metrics } from '@paywright/platform';
import type { KafkaConnection } from '../connection/kafka-connection.ts';
import type { DeadLetterOffice } from '../dead-letter.ts';
import type { Defect } from '../defects.ts';
import type { Failpoint } from '../failpoint.ts';
import type { BatchHandler, ReceivedMessage } from '../message.ts';
import type { CoalescingProducer } from '../producer/coalescing-producer.ts';
import type { Claim } from './claims.ts';
import type { FindLost } from './loss-checks.ts';

export interface BatchConsumerOptions {
  readonly kafka: KafkaConnection;
  readonly group: string;
  /** The topics of the group: the same in all its members. */
  readonly topic: string | readonly string[];
  readonly handler: BatchHandler;
  readonly producer: CoalescingProducer;
  readonly metrics: Metrics;
  /** What the messages are; it decides what a dead letter holds. */
  readonly carries: 'commands' | 'events';
  /** Whether the handler's database answers: until it does, no failing message is a dead letter. Never rejects. */
  readonly isDatabaseUp?: () => Promise<boolean>;
  /**
   * Called at each assignment, and again where the handler throws ClaimLost for longer than `claimPatienceMs` while the
   * assignment lasts and the group confirms it. Nothing of its partitions is handled until it has resolved with where to read each of them from. A
   * rejection is repeated with a back-off. Where a partition ends before what was read of it, all are claimed again, and that one anew.
   */
  readonly claim?: Claim;
  /** Moves the offset that the handler keeps behind a message that it cannot handle, and that is a dead letter now. */
  readonly passOver?: (message: ReceivedMessage) => Promise<void>;
  readonly claimPatienceMs?: number;
  /**
   * Asked every 5 s: for a handler whose database may lose the last moment's work in a crash. What is lost is read
   * again though no message follows it.
   */
  readonly findLost?: FindLost;
  /** Told of all that a fetch brings of a partition, before any of it is handled. */
  readonly onFetched?: (messages: readonly ReceivedMessage[]) => void;
  /** A crash that kafkajs does not recover from; ends the process with 1 if absent. */
  readonly onFinalCrash?: () => void;
  readonly deadLetters?: DeadLetterOffice;
  /**
   * Handles every key by itself, so many at a time: for a handler that waits for something outside. Without it
   * batches hold all that has gathered, whatever its key. Such a handler rewinds nothing.
   */
  readonly keysAtATime?: number;
  /**
   * Whether a message's turn has come: until it has, and `lookAgain` is called, nothing of its partition is handled, and no
   * more is fetched than may wait. Not for a handler of keys.
   */
  readonly isDue?: (message: ReceivedMessage) => boolean;
  readonly drainMs?: number;
  /**
   * How long the fetch loop rests behind a fetch that brought all there was of a topic, so that more gathers for the
   * next one; of several topics the shortest counts. A message that nobody awaits costs less so; the first one after
   * a quiet time is not delayed.
   */
  readonly restMs?: (topic: string) => number;
  /**
   * What one fetch brings at most, in bytes, and what may wait for its batch beside that; 10 and 8 MB if absent. As much
   * again may be in hand, and decoded it is several times as large. Less is for long topics that nobody waits for.
   */
  readonly mostBytes?: number;
  readonly defects?: ReadonlySet<Defect>;
  readonly failpoint?: Failpoint;
}
