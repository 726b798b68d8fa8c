import { topics } from '@paywright/contracts';
import type { KafkaConnection } from '../connection/kafka-connection.ts';
import { PrivateReader } from '../consumer/private-reader.ts';
import { CommandTimeout } from '../errors.ts';
import type { ReceivedMessage } from '../message.ts';
import type { MessagingMetrics } from '../messaging-metrics.ts';

export interface ReplyChannelOptions {
  readonly kafka: KafkaConnection;
  readonly metrics: MessagingMetrics;
  /** Ordinal of this gateway: its partition, as far as there are so many. Two on one partition stay correct. */
  readonly instance: number;
  readonly maxPending: number;
  readonly topic?: string;
}

interface Pending {
  readonly resolve: (text: Buffer) => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
}

/**
 * The replies to this process's commands: one partition, read in a group of its own, so that no rebalance can move
 * it. A reply that nobody here waits for is late, or another gateway's on the same partition: it is counted.
 */
export class ReplyChannel {
  readonly #reader: PrivateReader;
  readonly #metrics: MessagingMetrics;
  readonly #maxPending: number;
  readonly #pending = new Map<string, Set<Pending>>();
  #waiting = 0;

  constructor({ kafka, metrics, instance, maxPending, topic = topics.gatewayReplies }: ReplyChannelOptions) {
    this.#metrics = metrics;
    this.#maxPending = maxPending;
    this.#reader = new PrivateReader({
      kafka,
      topic,
      groupPrefix: 'gw-replies',
      choosePartitions: (count) => [instance % count],
      from: 'end',
      onMessage: (message) => this.#take(message),
    });
  }

  /** Resolves when no reply can be missed any more. */
  start(): Promise<void> {
    return this.#reader.start();
  }

  get isReady(): boolean {
    return this.#reader.isJoined;
  }

  /** As many replies are awaited as may be. */
  get isFull(): boolean {
    return this.#waiting >= this.#maxPending;
  }

  /** Where replies are to be sent. */
  get partition(): number {
    return this.#reader.partitions[0] ?? 0;
  }

  /**
   * The JSON text of the command's reply. Ask before the command is sent.
   * @throws CommandTimeout
   */
  async replyTo(commandId: string, type: string, withinMs: number): Promise<Buffer> {
    const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
    const timer = setTimeout(() => {
      this.#metrics.replyTimeouts.inc({ type });
      reject(new CommandTimeout(`${type} was not answered in time.`));
    }, withinMs);
    const pending: Pending = { resolve, reject, timer };
    this.#add(commandId, pending);
    try {
      return await promise;
    } finally {
      this.#remove(commandId, pending);
    }
  }

  /** Ends the wait for a command that could not be sent. */
  cancel(commandId: string, error: Error): void {
    for (const { reject } of this.#pending.get(commandId) ?? []) reject(error);
  }

  stop(): Promise<void> {
    return this.#reader.stop();
  }

  #take({ headers, value }: ReceivedMessage): void {
    const pending = this.#pending.get(headers['id'] ?? '');
    if (!pending || value === null) return this.#metrics.lateReplies.inc();
    for (const { resolve } of pending) resolve(value);
  }

  /** A command can be sent twice at a time: a request and its repetition take over from each other. */
  #add(commandId: string, pending: Pending): void {
    const same = this.#pending.get(commandId);
    if (same) same.add(pending);
    else this.#pending.set(commandId, new Set([pending]));
    this.#waiting += 1;
    this.#metrics.pendingReplies.set(this.#waiting);
  }

  #remove(commandId: string, pending: Pending): void {
    clearTimeout(pending.timer);
    const same = this.#pending.get(commandId);
    same?.delete(pending);
    if (same?.size === 0) this.#pending.delete(commandId);
    this.#waiting -= 1;
    this.#metrics.pendingReplies.set(this.#waiting);
  }
}
