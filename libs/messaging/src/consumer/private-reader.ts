import { AssignerProtocol, type Admin, type Consumer, type EachBatchPayload, type PartitionAssigner } from 'kafkajs';
import { randomUUID } from 'node:crypto';
import type { KafkaConnection } from '../connection/kafka-connection.ts';
import { patiently } from '../connection/patiently.ts';
import { untilReached } from '../connection/until-reached.ts';
import { describeError } from '../errors.ts';
import { offsetAfter, type ReceivedMessage } from '../message.ts';
import { exitOnCrash, openConsumer } from './open-consumer.ts';
import { untilCoordinated } from './until-coordinated.ts';
import { receivedMessages } from './received-messages.ts';

export interface PrivateReaderOptions {
  readonly kafka: KafkaConnection;
  /** The group is this and a random id: a fixed one would wait for a killed predecessor's ghost. */
  readonly groupPrefix: string;
  readonly topic: string;
  /** Which partitions to read of so many; all if absent. */
  readonly choosePartitions?: (count: number) => readonly number[];
  readonly from: 'beginning' | 'end';
  /** See ConsumerOptions. */
  readonly mostWaitMs?: number;
  /** Sees every message once an offset, in order of its partition. A throw is logged, and the message is behind it. */
  readonly onMessage: (message: ReceivedMessage) => void;
}

/**
 * Reads partitions for this process alone, whoever else reads them. Positions are kept in memory and never
 * committed, and every join of the group goes on where reading stopped, so a rejoin loses and repeats nothing.
 */
export class PrivateReader {
  readonly #options: PrivateReaderOptions;
  readonly #admin: Admin;
  readonly #group: string;
  #consumer: Consumer | undefined;
  /** The offset to read next, and the end at the start, by partition. */
  readonly #next = new Map<number, string>();
  readonly #ends = new Map<number, string>();
  readonly #fetched = Promise.withResolvers<void>();
  readonly #readToEnd = Promise.withResolvers<void>();
  readonly #stopping = new AbortController();
  #joined = false;

  constructor(options: PrivateReaderOptions) {
    this.#options = options;
    this.#group = `${options.groupPrefix}-${randomUUID()}`;
    this.#admin = options.kafka.client.admin();
  }

  /** In the group, and not crashed. */
  get isJoined(): boolean {
    return this.#joined && !this.#stopping.signal.aborted;
  }

  get partitions(): readonly number[] {
    return [...this.#next.keys()];
  }

  /**
   * Resolves behind the first fetch, which waits for a broker: what is appended from then on will be seen. @throws if the topic
   * is missing, a broker refuses it, or it is stopped meanwhile
   */
  async start(): Promise<void> {
    const { kafka, topic, from, mostWaitMs } = this.#options;
    const { signal } = this.#stopping;
    await untilReached(kafka, () => this.#findPositions(), signal);
    const consumer = openConsumer({
      kafka,
      group: this.#group,
      assigner: assignAll(this.partitions),
      mostWaitMs,
      onCrash: (final) => this.#crashed(final),
    });
    this.#consumer = consumer;
    consumer.on(consumer.events.GROUP_JOIN, () => this.#onJoin(consumer));
    consumer.on(consumer.events.FETCH, () => this.#fetched.resolve());
    const subscribe = async () => {
      await consumer.connect();
      await consumer.subscribe({ topics: [topic], fromBeginning: from === 'beginning' });
    };
    await untilReached(kafka, subscribe, signal);
    await consumer.run({
      autoCommit: false,
      eachBatchAutoResolve: false,
      partitionsConsumedConcurrently: this.#next.size,
      eachBatch: (payload) => this.#eachBatch(payload),
    });
    await this.#fetched.promise;
    this.#checkEnds();
  }

  /** Resolves once everything that was in the topic at the start is read. */
  readToEnd(): Promise<void> {
    return this.#readToEnd.promise;
  }

  async stop(): Promise<void> {
    if (this.#stopping.signal.aborted) return;
    this.#stopping.abort();
    await this.#consumer?.disconnect();
  }

  async #findPositions(): Promise<void> {
    const { topic, from, choosePartitions } = this.#options;
    const { signal } = this.#stopping;
    await this.#admin.connect();
    const offsets = await patiently(() => this.#admin.fetchTopicOffsets(topic), signal);
    await untilCoordinated(this.#admin, this.#group, signal);
    await this.#admin.disconnect();
    const chosen = choosePartitions?.(offsets.length) ?? offsets.map(({ partition }) => partition);
    for (const { partition, low, high } of offsets) {
      if (!chosen.includes(partition)) continue;
      this.#next.set(partition, from === 'beginning' ? low : high);
      this.#ends.set(partition, high);
    }
  }

  #onJoin(consumer: Consumer): void {
    this.#joined = true;
    this.#options.kafka.logger.debug({ group: this.#group }, 'The reader joined its group');
    for (const [partition, offset] of this.#next) consumer.seek({ topic: this.#options.topic, partition, offset });
  }

  #crashed(final: boolean): void {
    this.#joined = false;
    if (final && !this.#stopping.signal.aborted) exitOnCrash();
  }

  async #eachBatch(payload: EachBatchPayload): Promise<void> {
    const { batch } = payload;
    try {
      for (const message of receivedMessages(batch)) this.#show(message);
      this.#next.set(batch.partition, offsetAfter(batch.lastOffset()));
      payload.resolveOffset(batch.lastOffset());
    } catch (error) {
      this.#options.kafka.logger.error({ group: this.#group, error: describeError(error) }, 'The reader loop failed');
    }
    this.#checkEnds();
  }

  #show(message: ReceivedMessage): void {
    try {
      this.#options.onMessage(message);
    } catch (error) {
      const { topic, partition, offset } = message;
      const fields = { topic, partition, offset, error: describeError(error) };
      this.#options.kafka.logger.error(fields, 'A record could not be taken in');
    }
  }

  #checkEnds(): void {
    const atEnds = [...this.#ends].every(([partition, end]) => BigInt(this.#next.get(partition) ?? 0) >= BigInt(end));
    if (atEnds) this.#readToEnd.resolve();
  }
}

/** Gives every member all of the reader's partitions. The group has one member, and its ghosts. */
const assignAll =
  (partitions: readonly number[]): PartitionAssigner =>
  () => {
    const head = { version: 1, userData: Buffer.alloc(0) };
    const name = 'private';
    return {
      name,
      version: 1,
      assign: async ({ members, topics }) => {
        const assignment = Object.fromEntries(topics.map((topic) => [topic, [...partitions]]));
        const memberAssignment = AssignerProtocol.MemberAssignment.encode({ ...head, assignment });
        return members.map(({ memberId }) => ({ memberId, memberAssignment }));
      },
      protocol: ({ topics }) => ({ name, metadata: AssignerProtocol.MemberMetadata.encode({ ...head, topics }) }),
    };
  };
