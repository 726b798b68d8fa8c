import { inTransaction } from '@paywright/event-sourcing';
import { topics } from '@paywright/contracts';
import {
  describeError,
  offsetAfter,
  type BatchResult,
  type DeadLetter,
  type OutgoingMessage,
  type PartitionStart,
  type ReceivedMessage,
  type TopicPartition,
} from '@paywright/messaging';
import type { Clock, Logger, Metrics } from '@paywright/platform';
import type { Pool } from 'pg';
import { LogEntry, modelKey, type ModelName, modelOfKey, snapshotRecords } from '@paywright/selection-models';
import type { OwnedPartitions } from '../owned-partitions.ts';
import type { Rebuilds } from '../rebuilding/rebuilds.ts';
import { loadCheckpoints, storeCheckpoint, type Checkpoint } from './checkpoints.ts';
import { ModelLearner } from './model-learner.ts';
import { shareCommand } from './share-command.ts';
import type { SnapshotArchive } from './snapshot-archive.ts';

export interface TrainersOptions {
  readonly pool: Pool;
  readonly partitions: OwnedPartitions;
  readonly archive: SnapshotArchive;
  readonly rebuilds: Pick<Rebuilds, 'begin' | 'end'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Of the models; the default is theirs. */
  readonly modelsTopic?: string;
  /** How long a crash may make a trainer read again, in milliseconds of the machine. Default 5 minutes. */
  readonly checkpointEveryMs?: number;
}

interface Owned extends ModelName {
  readonly partition: number;
  /** Another one once a rebuild is promoted. */
  learner: ModelLearner;
  /** Whether it has learned since its checkpoint. */
  isChanged: boolean;
  /** Below it the checkpoint has learned from everything. */
  readonly from: bigint;
}

/** The models whose logs this process reads: one learner each, and nobody else has it. */
export class Trainers {
  readonly #options: TrainersOptions;
  readonly #applied;
  readonly #models = new Map<string, Owned>();
  /** The offset to read next, by partition. */
  readonly #next = new Map<number, bigint>();
  #topic = '';
  #checkpointedAt = 0;

  constructor(options: TrainersOptions) {
    this.#options = options;
    this.#applied = options.metrics.counter('learner_records_total', 'Records that models learned from', ['type']);
    const help = 'Models that this process trains';
    options.metrics.gauge('learner_models', help, [], () => this.#models.size);
  }

  /** Takes the logs in these partitions over, from where their checkpoints are. */
  async claim(partitions: readonly TopicPartition[]): Promise<readonly PartitionStart[]> {
    const starts = await this.#options.partitions.claim(partitions);
    this.#models.clear();
    this.#next.clear();
    this.#checkpointedAt = this.#options.clock.machineNow();
    for (const { topic, partition, offset } of starts) {
      this.#topic = topic;
      this.#next.set(partition, BigInt(offset));
    }
    for (const checkpoint of await loadCheckpoints(this.#options.pool, [...this.#next.keys()]))
      this.#restore(checkpoint);
    return starts.map(({ partition, ...place }) => ({
      ...place,
      partition,
      offset: String(this.#next.get(partition)),
    }));
  }

  /** A log is kept for ever: a model whose checkpoint cannot be read learns all of it again. */
  #restore({ appId, model, partition, nextOffset, state }: Checkpoint): void {
    try {
      const learner = ModelLearner.restore(state);
      const owned = { appId, model, partition, learner, isChanged: false, from: nextOffset };
      this.#models.set(modelKey({ appId, model }), owned);
    } catch (error) {
      const fields = { appId, partition, error: describeError(error) };
      this.#options.logger.warn(fields, 'A checkpoint is not of this code: its model learns its log again');
      this.#next.set(partition, 0n);
    }
  }

  /** @param messages of the log, each partition's in offset order */
  async handle(messages: readonly ReceivedMessage[]): Promise<BatchResult> {
    const deadLetters: DeadLetter[] = [];
    for (const message of messages) {
      const reason = await this.#take(message);
      if (reason !== null) deadLetters.push({ message, reason });
    }
    const publish = await this.#publications();
    const { clock, checkpointEveryMs = 5 * 60_000 } = this.#options;
    if (clock.machineNow() - this.#checkpointedAt >= checkpointEveryMs) await this.checkpoint();
    return { publish, deadLetters };
  }

  /** Stores what was learned, with the offsets behind it. A crash from here on reads again from here. */
  async checkpoint(): Promise<void> {
    const { pool, partitions, clock, archive } = this.#options;
    if (this.#next.size === 0) return;
    await inTransaction(pool, async (transaction) => {
      await partitions.lock(transaction, this.#topic, [...this.#next.keys()]);
      for (const { appId, model, partition, learner, isChanged } of this.#models.values()) {
        if (!isChanged) continue;
        const nextOffset = this.#next.get(partition) ?? 0n;
        await storeCheckpoint(transaction, { appId, model, partition, nextOffset, state: learner.checkpoint() });
      }
      const offsets = [...this.#next].map(([partition, next]) => [partition, String(next)] as const);
      partitions.move(transaction, this.#topic, new Map(offsets));
    });
    for (const owned of this.#models.values()) owned.isChanged = false;
    this.#checkpointedAt = clock.machineNow();
    await archive.forget(clock.machineNow());
  }

  /** The models that this process trains now. */
  models(): Iterable<Readonly<Owned>> {
    return this.#models.values();
  }

  /** @returns why nothing can be learned of the message; null if it was learned from, or was before */
  async #take(message: ReceivedMessage): Promise<string | null> {
    const { partition, offset } = message;
    // A batch that failed halfway comes again.
    if (BigInt(offset) < (this.#next.get(partition) ?? 0n)) return null;
    const read = this.#read(message);
    const reason = typeof read === 'string' ? read : await this.#learn(read, message);
    this.#next.set(partition, BigInt(offsetAfter(offset)));
    return reason;
  }

  /** @returns what the message says to which model, or why that cannot be known */
  #read({ key, partition, offset, value }: ReceivedMessage): { owned: Owned; entry: LogEntry } | string {
    try {
      const name = modelOfKey(key);
      if (name === null) return 'The key is no model.';
      return { owned: this.#of(name, partition, BigInt(offset)), entry: LogEntry.parse(JSON.parse(String(value))) };
    } catch (error) {
      return describeError(error);
    }
  }

  async #learn(
    { owned, entry }: { readonly owned: Owned; readonly entry: LogEntry },
    { topic, partition, offset }: ReceivedMessage,
  ): Promise<string | null> {
    const { rebuilds } = this.#options;
    const { appId, model, learner } = owned;
    const place = { topic, partition, offset: BigInt(offset) };
    if (place.offset < owned.from) return null;
    if (entry.type === 'rebuild') await rebuilds.begin({ appId, model }, learner, entry, place);
    if (entry.type === 'rebuilt') owned.learner = await rebuilds.end({ appId, model }, learner, entry, place);
    try {
      owned.learner.apply(entry);
    } catch (error) {
      return describeError(error);
    }
    owned.isChanged = true;
    this.#applied.inc({ type: entry.type });
    return null;
  }

  #of(name: ModelName, partition: number, from: bigint): Owned {
    const key = modelKey(name);
    const known = this.#models.get(key);
    if (known !== undefined) return known;
    const owned = { ...name, partition, learner: ModelLearner.fresh(key), isChanged: true, from };
    this.#models.set(key, owned);
    return owned;
  }

  async #publications(): Promise<readonly OutgoingMessage[]> {
    const { archive, clock, modelsTopic = topics.selectionModels } = this.#options;
    const messages: OutgoingMessage[] = [];
    for (const { learner, appId, model } of this.#models.values()) {
      const share = learner.takeShare();
      if (share !== null) messages.push(shareCommand({ appId, model }, share, clock.now()));
      const snapshot = learner.takeSnapshot();
      if (snapshot === null) continue;
      await archive.keep({ appId, model }, snapshot, learner.report(), clock.machineNow());
      messages.push(...snapshotRecords({ appId, model, ...snapshot }, modelsTopic));
    }
    return messages;
  }
}
