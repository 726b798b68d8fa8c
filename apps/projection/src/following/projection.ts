import type { Topic } from '@paywright/contracts';
import type { Transaction } from '@paywright/event-sourcing';
import type { ReceivedMessage } from '@paywright/messaging';
import type { ShownKind } from '@paywright/read-model';

/** A record of a topic that was understood. */
export interface Decoded<Entry> {
  readonly message: ReceivedMessage;
  readonly entry: Entry;
}

/** A record that cannot be handled now. `reason` is null where it only waits behind another of its key. */
export interface Unhandled {
  readonly message: ReceivedMessage;
  readonly reason: string | null;
}

/** What somebody waits to see. */
export interface Awaited<Entry> {
  readonly kind: ShownKind;
  /** The key and version that can be seen once the entry is applied; null: none that anybody waits for. */
  versionOf(entry: Entry): readonly [key: string, version: number] | null;
}

/** What the records of a topic mean to the read model. */
export interface Projection<Entry = unknown> {
  readonly topic: Topic;
  /** Whether the records of a key build on each other: then they wait behind one that cannot be handled. */
  readonly ordered: boolean;
  /** How a commit tells which versions can be seen now; null: nobody waits to see these rows. */
  readonly awaited: Awaited<Entry> | null;
  /** Whether a commit waits for the disk: where rows that a crash takes would be missed until they are folded again. */
  readonly waitsForDisk: boolean;
  /** Whether records may be kept with their dead letters: not where they hold personal fields. */
  readonly payloadKept: boolean;
  /** @throws whatever tells that the record is not what the topic promises */
  decode(message: ReceivedMessage): Entry;
  /**
   * Writes what follows from the records, in their order; safe to be given a record again.
   * @param database a transaction that ends with the offset's move
   * @returns the records that must not be applied yet, in order
   */
  apply(database: Transaction, records: readonly Decoded<Entry>[]): Promise<readonly Unhandled[]>;
}
