import type { Command, DomainEvent, RecordedEvent } from '@paywright/contracts';
import type { Decider } from '@paywright/event-sourcing';
import type { KafkaConnection, OutgoingMessage, RecordReader } from '@paywright/messaging';
import type { HealthCheck, ProcessContext } from '@paywright/platform';

/** What a service's own parts may be made of. The clock is the database's, once the service starts. */
export interface WriteServiceContext<Config> extends ProcessContext<Config> {
  readonly kafka: KafkaConnection;
}

/** Events of a stream that follow each other, and the state behind them. */
export interface AcceptedEvents<S, E extends DomainEvent> {
  readonly events: readonly RecordedEvent<E>[];
  readonly state: S;
}

/** A compacted topic to which extraRecords tells streams' states, each with the `version` of its stream. */
export interface StateTopic {
  readonly topic: string;
  /**
   * Told in each record beside the version: raised where the code makes another record of the same events, so that all
   * streams are told again. Left out: 0.
   */
  readonly edition?: number;
  /**
   * The stream that a key's records tell; null if they tell none. Left out where each stream is told by its own name,
   * and there are few.
   */
  readonly streamOf?: (key: string) => string | null;
  /** Where the service reads the topic itself: of all its records. */
  readonly reader?: RecordReader<unknown>;
}

/** What is a service's own; the rest is the same in all write services. */
export interface WriteServiceParts<C extends Command, S, E extends DomainEvent> {
  readonly decider: Decider<C, S, E>;
  /** Awaited before a batch is decided. A throw is a fault of the infrastructure: the batch is repeated. */
  readonly before?: (commands: readonly C[]) => Promise<void>;
  /**
   * Records to publish with the events and the reply of a command, on a repeat too: `state` is then the stream's
   * newest, so that a record of it never goes back. When topics are filled again from the store, event by event.
   */
  readonly extraRecords?: (accepted: AcceptedEvents<S, E>) => readonly OutgoingMessage[];
  /** Types of the events of streams of which extraRecords tells nothing: they are not folded to fill topics again. */
  readonly withoutExtraRecords?: readonly E['type'][];
  /** Where the last record of each stream is kept the newest. */
  readonly stateTopic?: StateTopic;
  /** Beside those of consumer, producer and database. */
  readonly checks?: readonly HealthCheck[];
  /** Awaited before commands are taken. */
  readonly start?: (stopping: AbortSignal) => Promise<void>;
  /** Called when the last batch is done. */
  readonly stop?: () => Promise<void>;
}
