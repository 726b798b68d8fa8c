import {
  ClaimLost,
  describeError,
  InfrastructureFault,
  type BatchResult,
  type ReceivedMessage,
  type Rewind,
} from '@paywright/messaging';
import type { Logger } from '@paywright/platform';
import type { ProjectionMetrics } from '../projection-metrics.ts';
import { commitChunk, type CommitOptions, type PartEnd } from './commit-chunk.ts';
import { toMirror } from './dead-letters.ts';
import { findFallenBehind } from './fallen-behind.ts';
import { PartitionOwner, type ClaimOptions } from './partition-owner.ts';
import { readRecords } from './project-records.ts';
import type { Projection, Unhandled } from './projection.ts';
import { isFaultOfRecords } from './refused-rows.ts';

/** A transaction's size: above it the rate rises no more, and a retry repeats more. */
const chunkSize = 1_000;

export interface FollowerOptions extends CommitOptions, ClaimOptions {
  readonly logger: Logger;
  readonly metrics: ProjectionMetrics;
}

/**
 * Folds a topic into the read model, so that a record counts once however often it is read or published. Only the
 * database's offset is trusted; Kafka's is for those who watch the lag.
 */
export class TopicFollower<Entry = unknown> {
  readonly #projection: Projection<Entry>;
  readonly #options: FollowerOptions;
  readonly #owners = new Map<number, PartitionOwner>();
  /** By partition: the claim that was begun last. */
  readonly #claiming = new Map<number, Promise<PartitionOwner>>();

  constructor(projection: Projection<Entry>, options: FollowerOptions) {
    this.#projection = projection;
    this.#options = options;
  }

  get topic(): string {
    return this.#projection.topic;
  }

  /** Whether clients wait until the read model shows what the topic tells. */
  get awaited(): boolean {
    return this.#projection.awaited !== null;
  }

  /**
   * Takes a partition over from whoever had it. The caller reads it from the offset returned.
   * @param anew whether that is its beginning: it ends before what was read of it
   * @throws what the database throws
   */
  async claim(partition: number, anew = false): Promise<string> {
    const owner = await this.#claim(partition, anew);
    owner.readsFrom = owner.claimedAt;
    return owner.claimedAt;
  }

  /**
   * Of these partitions those whose handled records the database has lost, since it crashed before they were on its disk.
   * @returns where the caller reads them from; told again until that was done
   * @throws what the database throws
   */
  async findLost(partitions: readonly number[]): Promise<readonly Rewind[]> {
    const owners = partitions.flatMap((partition) => this.#owners.get(partition) ?? []);
    const fallen = await findFallenBehind(this.#options.pool, owners);
    // A batch from elsewhere may be in hand, so the next one need not be the first from there.
    return fallen.map(({ owner, stored }) => this.#readBack(owner, stored, null));
  }

  /**
   * Handles a batch: of each partition messages in offset order.
   * @throws InfrastructureFault: what was not committed is to be handed in again; ClaimLost where others have claimed it
   */
  async handle(messages: readonly ReceivedMessage[]): Promise<BatchResult> {
    try {
      const parts = await this.#partsOf(messages);
      return await this.#handleChunks(parts);
    } catch (error) {
      if (error instanceof InfrastructureFault) throw error;
      throw new InfrastructureFault(`The read model was not written: ${describeError(error)}`, { cause: error });
    }
  }

  async #partsOf(messages: readonly ReceivedMessage[]): Promise<readonly Part[]> {
    const byPartition = Map.groupBy(messages, ({ partition }) => partition);
    return Promise.all(
      Array.from(byPartition, async ([partition, ofOne]) => ({
        owner: this.#owners.get(partition) ?? (await this.#claim(partition)),
        messages: ofOne,
      })),
    );
  }

  /** One after the other: of two at a time the owner that is fenced already could be the one that is kept. */
  #claim(partition: number, anew = false): Promise<PartitionOwner> {
    const former = Promise.allSettled([this.#claiming.get(partition)]);
    const claiming = former.then(() => this.#claimNext(partition, anew));
    this.#claiming.set(partition, claiming);
    return claiming;
  }

  async #claimNext(partition: number, anew: boolean): Promise<PartitionOwner> {
    const place = { topic: this.topic, partition };
    const owner = await PartitionOwner.claim(this.#options.pool, place, this.#options, anew);
    this.#owners.set(partition, owner);
    return owner;
  }

  async #handleChunks(parts: readonly Part[]): Promise<BatchResult> {
    const unhandled: Unhandled[] = [];
    const rewinds: Rewind[] = [];
    const fenced = new Set<PartitionOwner>();
    for (const chunk of chunksOf(parts)) {
      const open = chunk.filter(({ owner }) => !fenced.has(owner) && !isRewound(rewinds, owner));
      if (open.length === 0) continue;
      const ends = await this.#projectChunk(open);
      for (const [index, { owner }] of open.entries()) {
        const end = ends[index]!;
        if (end.kind === 'fenced') fenced.add(owner);
        else if (end.kind === 'ahead') rewinds.push(this.#readBack(owner, end.next, end.next));
        else unhandled.push(...end.unhandled);
      }
    }
    for (const part of parts)
      if (!fenced.has(part.owner) && !isRewound(rewinds, part.owner)) this.#options.metrics.followed(part.messages);
    const [lost] = fenced;
    if (lost) throw new ClaimLost(`Partition ${lost.partition} of ${this.topic} has another owner`);
    return { publish: [], deadLetters: toMirror(unhandled), ...(rewinds.length > 0 && { rewinds }) };
  }

  /** @param readsFrom what is known of the next batch once the reader was sent back */
  #readBack(owner: PartitionOwner, offset: string, readsFrom: string | null): Rewind {
    const start = { topic: this.topic, partition: owner.partition, offset };
    this.#options.logger.warn(start, 'Kafka is ahead of the database: reading back');
    return { ...start, onMade: () => void (owner.readsFrom = readsFrom) };
  }

  /** A chunk that the database refuses is parted, and halved, until the record is found that it refuses. */
  async #projectChunk(chunk: readonly Part[]): Promise<readonly PartEnd[]> {
    const read = ({ owner, messages }: Part) => ({ owner, records: readRecords(this.#projection, messages) });
    try {
      return await commitChunk(this.#projection, chunk.map(read), this.#options);
    } catch (error) {
      if (!isFaultOfRecords(error)) throw error;
      const [part] = chunk;
      if (part && chunk.length === 1) return [await this.#projectHalves(part, error)];
      const ends: PartEnd[] = [];
      for (const one of chunk) ends.push(...(await this.#projectChunk([one])));
      return ends;
    }
  }

  async #projectHalves({ owner, messages }: Part, error: unknown): Promise<PartEnd> {
    const [message] = messages;
    if (message && messages.length === 1) {
      const records = [{ message, reason: `The read model refuses it: ${describeError(error)}` }];
      const [end] = await commitChunk(this.#projection, [{ owner, records }], this.#options);
      return end!;
    }
    const middle = Math.ceil(messages.length / 2);
    const unhandled: Unhandled[] = [];
    for (const half of [messages.slice(0, middle), messages.slice(middle)]) {
      const [end] = await this.#projectChunk([{ owner, messages: half }]);
      if (end!.kind !== 'done') return end!;
      unhandled.push(...end!.unhandled);
    }
    return { kind: 'done', unhandled };
  }
}

/** What a batch holds of one partition. */
interface Part {
  readonly owner: PartitionOwner;
  readonly messages: readonly ReceivedMessage[];
}

/** Transactions' worth of messages, each partition's in order. */
function* chunksOf(parts: readonly Part[]): Generator<readonly Part[]> {
  let chunk: Part[] = [];
  let room = chunkSize;
  for (const { owner, messages } of parts) {
    for (let start = 0; start < messages.length;) {
      const taken = messages.slice(start, start + room);
      chunk.push({ owner, messages: taken });
      start += taken.length;
      room -= taken.length;
      if (room > 0) continue;
      yield chunk;
      [chunk, room] = [[], chunkSize];
    }
  }
  if (chunk.length > 0) yield chunk;
}

const isRewound = (rewinds: readonly Rewind[], owner: PartitionOwner): boolean =>
  rewinds.some(({ partition }) => partition === owner.partition);
