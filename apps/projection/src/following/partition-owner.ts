import type { TopicPartition } from '@paywright/messaging';
import type { Queryable } from '@paywright/read-model';
import { rowsCode } from '../rows-code.ts';
import { loadBlockedKeys, projectionName } from './dead-letters.ts';
import { claimPartition } from './partition-offset.sql.ts';

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
  readonly #blocked: Set<string>;

  private constructor(place: TopicPartition, claim: ClaimRow, blocked: Set<string>) {
    this.topic = place.topic;
    this.partition = place.partition;
    this.claimedAt = claim.next_offset;
    this.epoch = claim.owner_epoch;
    this.#blocked = blocked;
  }

  /** Takes the partition over from whoever had it. @param anew whether it is to be read from its beginning */
  static async claim(
    database: Queryable,
    place: TopicPartition,
    clusterId: string,
    anew: boolean,
  ): Promise<PartitionOwner> {
    const values = [projectionName, place.topic, place.partition, clusterId, rowsCode, anew];
    const { rows } = await database.query<ClaimRow>(claimPartition, values);
    if (!rows[0]) throw new Error('A claim answers with a row');
    const blocked = await loadBlockedKeys(database, place.topic, place.partition);
    return new PartitionOwner(place, rows[0], blocked);
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
