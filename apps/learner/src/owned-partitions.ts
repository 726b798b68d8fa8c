import { inTransaction, type Transaction } from '@paywright/event-sourcing';
import {
  ClaimLost,
  offsetAfter,
  type PartitionStart,
  type ReceivedMessage,
  type TopicPartition,
} from '@paywright/messaging';
import type { Pool } from 'pg';
import { claimPartitions, lockOwned, moveOffsets, noteJoined } from './sql/consumer-offset.sql.ts';

/** What a claim gave: the epochs of its partitions. Under one that another claim has followed nothing is taken. */
export type Owned = ReadonlyMap<string, number>;

interface ClaimedRow {
  topic: string;
  partition: number;
  next_offset: string;
  owner_epoch: number;
}

/**
 * The right to read partitions, from their claim until another claim, and how far they have been read: stored in the
 * transactions of what was read, so that it counts once. Kafka's offsets are for those who watch the lag.
 */
export class OwnedPartitions {
  readonly #pool: Pool;
  readonly #clusterId: string;
  #epochs: Owned = new Map();

  constructor(pool: Pool, clusterId: string) {
    this.#pool = pool;
    this.#clusterId = clusterId;
  }

  /**
   * Takes partitions over from whoever had them. One after the other.
   * @param anew those of them that are to be read from their beginning
   * @param forget what else is to be forgotten where some are, in the same transaction
   * @returns where to read each of them from
   */
  async claim(
    partitions: readonly TopicPartition[],
    anew: readonly TopicPartition[] = [],
    forget: (transaction: Transaction) => Promise<unknown> = async () => undefined,
  ): Promise<readonly PartitionStart[]> {
    this.#epochs = new Map();
    const lanes = new Set(anew.map(laneOf));
    const values = [
      partitions.map(({ topic }) => topic),
      partitions.map(({ partition }) => partition),
      this.#clusterId,
      partitions.map((place) => lanes.has(laneOf(place))),
    ];
    const rows = await inTransaction(this.#pool, async (transaction) => {
      const claimed = await transaction.query<ClaimedRow>(claimPartitions, values);
      if (anew.length > 0) await forget(transaction);
      return claimed.rows;
    });
    this.#epochs = new Map(rows.map(({ owner_epoch, ...place }) => [laneOf(place), owner_epoch]));
    return rows.map(({ topic, partition, next_offset }) => ({ topic, partition, offset: next_offset }));
  }

  /** The last claim. What is handled in steps takes all of them under the one that it began with. */
  get owned(): Owned {
    return this.#epochs;
  }

  owns(place: TopicPartition): boolean {
    return this.#epochs.has(laneOf(place));
  }

  /**
   * Locks the messages' partitions until the transaction ends, and moves their offsets behind the messages.
   * @param messages of one topic, each partition's in offset order
   * @param latest the latest time of what they tell, by partition, in milliseconds since the epoch
   * @param owned under which claim
   * @returns those that were not read before
   * @throws ClaimLost if a partition is another's
   */
  async take(
    transaction: Transaction,
    messages: readonly ReceivedMessage[],
    latest: ReadonlyMap<number, number>,
    owned: Owned,
  ): Promise<readonly ReceivedMessage[]> {
    const topic = messages[0]?.topic ?? '';
    const ends = new Map(messages.map(({ partition, offset }) => [partition, offsetAfter(offset)]));
    const stored = await this.#lock(transaction, topic, [...ends.keys()], owned);
    const moved = [...ends].filter(([partition, end]) => BigInt(end) > (stored.get(partition) ?? 0n));
    this.move(transaction, topic, new Map(moved), latest);
    return messages.filter(({ partition, offset }) => BigInt(offset) >= (stored.get(partition) ?? 0n));
  }

  /** Notes until when partitions are joined; of one that is another's by now nothing. */
  async noteJoined(joined: readonly (TopicPartition & { readonly until: number })[]): Promise<void> {
    await this.#pool.query(noteJoined, [
      joined.map(({ topic }) => topic),
      joined.map(({ partition }) => partition),
      joined.map((place) => this.#epochs.get(laneOf(place)) ?? 0),
      joined.map(({ until }) => new Date(until)),
    ]);
  }

  /** Locks partitions of a topic, under the last claim or the one that is named. @throws ClaimLost if one is another's */
  async lock(
    transaction: Transaction,
    topic: string,
    partitions: readonly number[],
    owned: Owned = this.#epochs,
  ): Promise<void> {
    await this.#lock(transaction, topic, partitions, owned);
  }

  /** Of partitions that the transaction has locked. */
  move(
    transaction: Transaction,
    topic: string,
    offsets: ReadonlyMap<number, string>,
    latest: ReadonlyMap<number, number> = new Map(),
  ): void {
    const times = [...offsets.keys()].map((partition) => latest.get(partition) ?? null);
    const values = [topic, [...offsets.keys()], [...offsets.values()], times.map((at) => at && new Date(at))];
    if (offsets.size > 0) transaction.send({ name: 'move-offsets', text: moveOffsets, values });
  }

  async #lock(transaction: Transaction, topic: string, partitions: readonly number[], owned: Owned) {
    const epochs = partitions.map((partition) => owned.get(laneOf({ topic, partition })) ?? 0);
    const { rows } = await transaction.query<{ partition: number; next_offset: string }>({
      name: 'lock-owned',
      text: lockOwned,
      values: [topic, partitions, epochs],
    });
    if (rows.length < partitions.length) throw new ClaimLost(`A partition of ${topic} has another owner.`);
    return new Map(rows.map(({ partition, next_offset }) => [partition, BigInt(next_offset)]));
  }
}

const laneOf = ({ topic, partition }: TopicPartition) => `${topic}/${partition}`;
