import type { ReceivedMessage, TopicPartition } from '../message.ts';
import { bytesOf, type MessageDispatcher, type Portion } from './message-dispatcher.ts';

export interface KeyDispatcherOptions {
  /** Begins the handling of a key's messages. Its end never rejects. */
  readonly begin: (portion: Portion) => Promise<void>;
  /** How many keys are handled at a time. */
  readonly most: number;
  /** Called when messages of a partition were handled. */
  readonly onHandled: (partition: TopicPartition) => void;
}

/** The messages of a key: those that wait, and whether some are in hand. */
interface Lane extends TopicPartition {
  readonly name: string;
  waiting: ReceivedMessage[];
  busy: boolean;
}

/**
 * Handles every key beside all others, its own messages in order: for handlers that wait long for something
 * outside. What is slow holds up its own key alone, as long as fewer than `most` are slow.
 */
export class KeyDispatcher implements MessageDispatcher {
  readonly #options: KeyDispatcherOptions;
  readonly #lanes = new Map<string, Lane>();
  /** Lanes that could begin, in the order in which they came. */
  readonly #ready = new Set<Lane>();
  readonly #bytes = new Map<number, number>();
  readonly #inHand = new Set<Promise<void>>();
  #stopped = false;

  constructor(options: KeyDispatcherOptions) {
    this.#options = options;
  }

  add({ topic, partition, messages }: Portion): void {
    for (const message of messages) {
      const name = `${partition}/${message.key ?? `offset ${message.offset}`}`;
      let lane = this.#lanes.get(name);
      if (!lane) this.#lanes.set(name, (lane = { topic, partition, name, waiting: [], busy: false }));
      lane.waiting.push(message);
      this.#count(partition, bytesOf(message));
      if (!lane.busy) this.#ready.add(lane);
    }
    this.#beginMore();
  }

  /** What is in hand counts too: its offsets hold back those behind it. */
  waitingBytes(partition: number): number {
    return this.#bytes.get(partition) ?? 0;
  }

  forget(partition?: number): void {
    for (const lane of [...this.#lanes.values()]) {
      if (partition !== undefined && lane.partition !== partition) continue;
      this.#count(lane.partition, -sizeOf(lane.waiting));
      lane.waiting = [];
      this.#ready.delete(lane);
      if (!lane.busy) this.#lanes.delete(lane.name);
    }
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#inHand);
  }

  #beginMore(): void {
    for (const lane of this.#ready) {
      if (this.#stopped || this.#inHand.size >= this.#options.most) return;
      this.#ready.delete(lane);
      const handling = this.#handle(lane).finally(() => {
        this.#inHand.delete(handling);
        this.#beginMore();
      });
      this.#inHand.add(handling);
    }
  }

  async #handle(lane: Lane): Promise<void> {
    const { topic, partition, waiting: messages } = lane;
    Object.assign(lane, { waiting: [], busy: true });
    await this.#options.begin({ topic, partition, messages });
    lane.busy = false;
    this.#count(partition, -sizeOf(messages));
    if (lane.waiting.length > 0) this.#ready.add(lane);
    else this.#lanes.delete(lane.name);
    this.#options.onHandled({ topic, partition });
  }

  #count(partition: number, bytes: number): void {
    this.#bytes.set(partition, this.waitingBytes(partition) + bytes);
  }
}

const sizeOf = (messages: readonly ReceivedMessage[]): number =>
  messages.reduce((sum, message) => sum + bytesOf(message), 0);
