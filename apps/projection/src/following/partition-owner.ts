import { ClaimLost, type TopicPartition } from '@paywright/messaging';
import type { Queryable } from '@paywright/read-model';
import { rowsCode } from '../rows-code.ts';
import { loadBlockedKeys, projectionName } from './dead-letters.ts';
import { claimPartition } from './partition-offset.sql.ts';

export interface ClaimOptions {
  /** Of the Kafka cluster: stored offsets count in it alone. */
  readonly clusterId: string;
  /**
   * The object id of the one table of offsets that may be written; whichever has the name, if absent. Of the read models that
   * rebuilds make, one after the other has it.
   */
  readonly table?: number;
}

interface ClaimRow {
  next_offset: string;
  owner_epoch: number;
}

/** The right to fold one partition into the read model, from its claim until another claim. */
export class PartitionOwner {
  readonly topic: string;
  /** Where the claim found the partition: the offset to read next. */
  readonly claimedAt: string;
  /** From where the log is read on: where the reader was sent, or behind what was committed since; null if unknown. */
  readsFrom: string | null = null;
  readonly partition: number;
  /** Counts the claims of the partition: a higher one than this in the database ends this owner's right. */
  readonly epoch: number;
  /** The only table that it may move the partition's offset in; null: whichever has the name. */
  readonly table: number | null;
  readonly #blocked: Set<string>;

  private constructor(place: TopicPartition, claim: ClaimRow, table: number | null, blocked: Set<string>) {
    this.topic = place.topic;
    this.partition = place.partition;
    this.claimedAt = claim.next_offset;
    this.epoch = claim.owner_epoch;
    this.table = table;
    this.#blocked = blocked;
  }

  /** Takes the partition over from whoever had it. @param anew whether it is to be read from its beginning */
  static async claim(
    database: Queryable,
    place: TopicPartition,
    { clusterId, table }: ClaimOptions,
    anew: boolean,
  ): Promise<PartitionOwner> {
    const values = [projectionName, place.topic, place.partition, clusterId, rowsCode, anew, table ?? null];
    const { rows } = await database.query<ClaimRow>(claimPartition, values);
    if (!rows[0]) throw new ClaimLost('Another read model has the name of the one that was made');
    const blocked = await loadBlockedKeys(database, place.topic, place.partition);
    return new PartitionOwner(place, rows[0], table ?? null, blocked);
  }

  /** Keys behind which records may wait. Never too few: only the owner blocks a key. */
  get blocked(): ReadonlySet<string> {
    return this.#blocked;
  }

  block(key: string | null): void {
    if (key !== null) this.#blocked.add(key);
  }

  free(key: string): void {
    this.#blocked.delete(key);
  }
}
