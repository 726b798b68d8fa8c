import { inTransaction, type Transaction } from '@paywright/event-sourcing';
import { topics } from '@paywright/contracts';
import {
  describeError,
  InfrastructureFault,
  isInfrastructureFault,
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
import type { Owned as Claimed, OwnedPartitions } from '../owned-partitions.ts';
import type { Rebuilds } from '../rebuilding/rebuilds.ts';
import { deleteCheckpoints, loadCheckpoints, storeCheckpoint, type Checkpoint } from './checkpoints.ts';
import { GivenOut } from './given-out.ts';
import { ModelLearner, type DueShare, type DueSnapshot, type ModelReport } from './model-learner.ts';
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
  /** Its snapshots are kept, and told to nobody. */
  readonly isArchived?: (name: ModelName) => boolean;
  /** Of the models; the default is theirs. */
  readonly modelsTopic?: string;
  /**
   * How long a crash may make a trainer read again, in milliseconds that pass evenly: default 5 minutes, and longer behind a
   * checkpoint that is large.
   */
  readonly checkpointEveryMs?: number;
}

/**
 * What a process stores of checkpoints on average. They are written whole each time, and the database writes twice as much to
 * its log: 48 MB of a model that shows 25,000 paywalls a day would be 28 GB a day if they were stored every five minutes.
 */
const storedBytesASecond = 50_000;

interface Owned extends ModelName {
  readonly partition: number;
  /** Another one once a rebuild is promoted. */
  learner: ModelLearner;
  /** Below it the learner has learned from everything. */
  learnedUntil: bigint;
  /** Below it the checkpoint has; null without one. */
  storedUntil: bigint | null;
}

/** A model's snapshot or the share that its guard found, of which the world is to hear. */
type News = { readonly name: ModelName } & (
  { readonly share: DueShare } | { readonly snapshot: DueSnapshot; readonly report: ModelReport }
);

/** The logs of one claim. A batch that was begun under an earlier one must not touch them. */
interface HeldLogs {
  readonly topic: string;
  /** The claim that gave them: what is stored under another one is not theirs. */
  readonly claimed: Claimed;
  readonly models: Map<string, Owned>;
  /** The offset to read next, by partition. */
  readonly next: Map<number, bigint>;
  readonly news: GivenOut<News>;
  readonly deadLetters: GivenOut<DeadLetter>;
}

const holding = (topic: string, next: Map<number, bigint>, claimed: Claimed): HeldLogs => ({
  ...{ topic, next, claimed, models: new Map() },
  ...{ news: new GivenOut(), deadLetters: new GivenOut() },
});

/** The models whose logs this process reads: one learner each, and nobody else has it. */
export class Trainers {
  readonly #options: TrainersOptions;
  readonly #metrics;
  #held = holding('', new Map(), new Map());
  #checkpointedAt = 0;
  /** What the last checkpoint took of the database's disk. */
  #checkpointBytes = 0;

  constructor(options: TrainersOptions) {
    this.#options = options;
    const { metrics } = options;
    this.#metrics = {
      applied: metrics.counter('learner_records_total', 'Records that models learned from', ['type']),
      failures: metrics.counter('learner_checkpoint_failures_total', 'Checkpoints that could not be stored'),
    };
    metrics.gauge('learner_models', 'Models that this process trains', [], () => this.#held.models.size);
  }

  /**
   * Takes the logs in these partitions over, from where their checkpoints are.
   * @param anew those of them whose logs are not what was learned from: their models learn what these hold
   */
  async claim(
    partitions: readonly TopicPartition[],
    anew: readonly TopicPartition[] = [],
  ): Promise<readonly PartitionStart[]> {
    const numbers = anew.map(({ partition }) => partition);
    const forget = (transaction: Transaction) => deleteCheckpoints(transaction, numbers);
    const starts = await this.#options.partitions.claim(partitions, anew, forget);
    const next = new Map(starts.map(({ partition, offset }) => [partition, BigInt(offset)]));
    const held = holding(starts[0]?.topic ?? '', next, this.#options.partitions.owned);
    for (const checkpoint of await loadCheckpoints(this.#options.pool, [...next.keys()]))
      this.#restore(held, checkpoint);
    this.#held = held;
    this.#checkpointedAt = this.#options.clock.steadyNow();
    return starts.map(({ topic, partition }) => ({ topic, partition, offset: String(next.get(partition)) }));
  }

  /** A log is kept for ever: a model whose checkpoint cannot be read learns all of it again. */
  #restore({ models, next }: HeldLogs, { appId, model, partition, nextOffset, state }: Checkpoint): void {
    try {
      const learner = ModelLearner.restore(state);
      const owned = { appId, model, partition, learner, learnedUntil: nextOffset, storedUntil: nextOffset };
      models.set(modelKey({ appId, model }), owned);
    } catch (error) {
      const fields = { appId, partition, error: describeError(error) };
      this.#options.logger.warn(fields, 'A checkpoint is not of this code: its model learns its log again');
      next.set(partition, 0n);
    }
  }

  /**
   * @param messages of the log, each partition's in offset order
   * @throws InfrastructureFault if its partitions were claimed anew meanwhile: they are read again from there
   */
  async handle(messages: readonly ReceivedMessage[]): Promise<BatchResult> {
    const held = this.#held;
    const firsts = new Map(messages.toReversed().map(({ partition, offset }) => [partition, BigInt(offset)]));
    for (const [partition, first] of firsts)
      for (const given of [held.news, held.deadLetters]) given.begin(partition, first);
    const itemsOf = <T>(given: GivenOut<T>) => [...firsts.keys()].flatMap((partition) => given.itemsOf(partition));
    // Behind a checkpoint nothing is given out again: not while these come again.
    if (itemsOf(held.news).length === 0 && itemsOf(held.deadLetters).length === 0) await this.#checkpointIfDue();
    for (const message of messages) await this.#take(held, message);
    this.#findNews(held, firsts);
    return { publish: await this.#publications(itemsOf(held.news)), deadLetters: itemsOf(held.deadLetters) };
  }

  async #checkpointIfDue(): Promise<void> {
    const { clock, checkpointEveryMs = 5 * 60_000 } = this.#options;
    const restMs = Math.max(checkpointEveryMs, (this.#checkpointBytes / storedBytesASecond) * 1_000);
    if (clock.steadyNow() - this.#checkpointedAt < restMs) return;
    try {
      await this.checkpoint();
    } catch (error) {
      // No message is to blame: without a checkpoint there is more to read again, and the next one is due as ever.
      if (isInfrastructureFault(error)) throw error;
      this.#checkpointedAt = clock.steadyNow();
      this.#checkpointBytes = 0;
      this.#metrics.failures.inc();
      this.#options.logger.error({ error: describeError(error) }, 'No checkpoint was stored');
    }
  }

  /** Stores what was learned, with the offsets behind it. A crash from here on reads again from here. */
  async checkpoint(): Promise<void> {
    const { pool, partitions, clock, archive } = this.#options;
    const { topic, models, next, claimed } = this.#held;
    if (next.size === 0) return;
    const stored = new Map<Owned, bigint>();
    let bytes = 0;
    await inTransaction(pool, async (transaction) => {
      await partitions.lock(transaction, topic, [...next.keys()], claimed);
      // Before the models, which may learn meanwhile: what they then have beyond these offsets, their own say.
      const offsets = new Map([...next].map(([partition, offset]) => [partition, String(offset)]));
      for (const owned of models.values()) {
        const { appId, model, partition, learnedUntil: nextOffset, storedUntil } = owned;
        if (nextOffset === storedUntil) continue;
        const state = this.#encoded(owned);
        if (state === null) {
          offsets.delete(partition);
          continue;
        }
        stored.set(owned, nextOffset);
        bytes += state.length;
        await storeCheckpoint(transaction, { appId, model, partition, nextOffset, state });
      }
      partitions.move(transaction, topic, offsets);
    });
    for (const [owned, until] of stored) owned.storedUntil = until;
    this.#checkpointedAt = clock.steadyNow();
    this.#checkpointBytes = bytes;
    await archive.forget(clock.machineNow());
  }

  /** Null if it cannot be kept: then its partition is read again from where its last checkpoint is. */
  #encoded({ appId, model, learner }: Owned): Uint8Array | null {
    try {
      return learner.checkpoint();
    } catch (error) {
      this.#metrics.failures.inc();
      this.#options.logger.error({ appId, model, error: describeError(error) }, 'A model has no new checkpoint');
      return null;
    }
  }

  /** The models that this process trains now. */
  models(): Iterable<Readonly<Owned>> {
    return this.#held.models.values();
  }

  /** Learns from a message, or says why nothing can be learned of it; neither if that was done before. */
  async #take(held: HeldLogs, message: ReceivedMessage): Promise<void> {
    const { partition } = message;
    const offset = BigInt(message.offset);
    // A batch that failed halfway comes again.
    if (offset < (held.next.get(partition) ?? 0n)) return;
    const read = this.#read(held, message);
    const reason = typeof read === 'string' ? read : await this.#learn(held, read, message);
    if (reason !== null) held.deadLetters.add(partition, offset, { message, reason });
    held.next.set(partition, offset + 1n);
  }

  /** @returns what the message says to which model, or why that cannot be known */
  #read(held: HeldLogs, { key, partition, value }: ReceivedMessage): { owned: Owned; entry: LogEntry } | string {
    try {
      const name = modelOfKey(key);
      if (name === null) return 'The key is no model.';
      return { owned: modelIn(held, name, partition), entry: LogEntry.parse(JSON.parse(String(value))) };
    } catch (error) {
      return describeError(error);
    }
  }

  async #learn(
    held: HeldLogs,
    { owned, entry }: { readonly owned: Owned; readonly entry: LogEntry },
    { topic, partition, offset }: ReceivedMessage,
  ): Promise<string | null> {
    const { rebuilds } = this.#options;
    const { appId, model, learner } = owned;
    const place = { topic, partition, offset: BigInt(offset) };
    if (place.offset < owned.learnedUntil) return null;
    if (entry.type === 'rebuild') await rebuilds.begin({ appId, model }, learner, entry, place);
    if (entry.type === 'rebuilt') owned.learner = await rebuilds.end({ appId, model }, learner, entry, place);
    if (held !== this.#held) throw new InfrastructureFault(`Partition ${partition} of ${topic} was claimed anew.`);
    try {
      owned.learner.apply(entry);
    } catch (error) {
      return describeError(error);
    }
    owned.learnedUntil = place.offset + 1n;
    this.#metrics.applied.inc({ type: entry.type });
    return null;
  }

  #findNews({ models, next, news }: HeldLogs, partitions: ReadonlyMap<number, unknown>): void {
    for (const { learner, appId, model, partition } of models.values()) {
      if (!partitions.has(partition)) continue;
      const name = { appId, model };
      const last = (next.get(partition) ?? 0n) - 1n;
      const share = learner.takeShare();
      if (share !== null) news.add(partition, last, { name, share });
      const snapshot = learner.takeSnapshot();
      if (snapshot !== null) news.add(partition, last, { name, snapshot, report: learner.report() });
    }
  }

  async #publications(all: readonly News[]): Promise<readonly OutgoingMessage[]> {
    const { archive, clock, isArchived = () => false, modelsTopic = topics.selectionModels } = this.#options;
    const messages: OutgoingMessage[] = [];
    for (const news of all) {
      const { name } = news;
      if ('share' in news) {
        messages.push(shareCommand(name, news.share, clock.now()));
        continue;
      }
      await archive.keep(name, news.snapshot, news.report, clock.machineNow());
      if (!isArchived(name)) messages.push(...snapshotRecords({ ...name, ...news.snapshot }, modelsTopic));
    }
    return messages;
  }
}

function modelIn({ models }: HeldLogs, name: ModelName, partition: number): Owned {
  const key = modelKey(name);
  const known = models.get(key);
  if (known !== undefined) return known;
  const owned = { ...name, partition, learner: ModelLearner.fresh(key), learnedUntil: 0n, storedUntil: null };
  models.set(key, owned);
  return owned;
}
