import { endsWithin } from '../back-off.ts';
import type { ReceivedMessage, TopicPartition } from '../message.ts';
import { bytesOf, type MessageDispatcher, type Portion } from './message-dispatcher.ts';

export interface BatchDispatcherOptions {
  /** Begins a batch: what was gathered of some partitions. An end a portion, in order, which never rejects. */
  readonly begin: (portions: readonly Portion[]) => readonly Promise<void>[];
  /** How long a batch may keep the others waiting. */
  readonly handOffMs: number;
  /** Whether a message's turn has come; nothing of its partition passes it before. Every message's has if absent. */
  readonly isDue?: ((message: ReceivedMessage) => boolean) | undefined;
  readonly onHandOff: () => void;
  /** Called when the messages of a partition were taken into a batch. */
  readonly onTaken: (partition: TopicPartition) => void;
}

/** What waits of a partition. Busy: a batch of it is in hand. */
interface Lane extends TopicPartition {
  waiting: ReceivedMessage[];
  bytes: number;
  busy: boolean;
}

/** What a batch gathers at most, unless one message alone is larger: its results are one transaction and one request. */
const batchMessages = 1_000;
const batchBytes = 1_048_576;

/**
 * Makes batches of a topic's messages. While a batch is in hand, what arrives of any partition gathers, and the next
 * batch takes it together: so the more there is to do, the fewer round trips a message costs. A batch that outlasts
 * `handOffMs` keeps its own partitions only: the next one of the others begins beside it. A message that is not due
 * keeps its partition waiting, until `lookAgain` finds it due.
 */
export class BatchDispatcher implements MessageDispatcher {
  readonly #options: BatchDispatcherOptions;
  /** In the order in which they are served next. */
  readonly #lanes = new Map<number, Lane>();
  readonly #inHand = new Set<Promise<unknown>>();
  #scheduled = false;
  #leading = false;
  #stopped = false;

  constructor(options: BatchDispatcherOptions) {
    this.#options = options;
  }

  add({ topic, partition, messages }: Portion): void {
    let lane = this.#lanes.get(partition);
    if (!lane) this.#lanes.set(partition, (lane = { topic, partition, waiting: [], bytes: 0, busy: false }));
    for (const message of messages) {
      lane.waiting.push(message);
      lane.bytes += bytesOf(message);
    }
    this.#schedule();
  }

  /** What is in hand does not count. */
  waitingBytes(partition: number): number {
    return this.#lanes.get(partition)?.bytes ?? 0;
  }

  forget(partition?: number): void {
    for (const lane of this.#lanes.values())
      if (partition === undefined || lane.partition === partition) Object.assign(lane, { waiting: [], bytes: 0 });
  }

  /** The first message of each partition that waits because it is not due, and of which nothing is in hand. */
  notDue(): readonly ReceivedMessage[] {
    return [...this.#lanes.values()].flatMap(({ busy, waiting: [first] }) =>
      busy || first === undefined || this.#isDue(first) ? [] : [first],
    );
  }

  /** Begins what has become due. */
  lookAgain(): void {
    this.#schedule();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#inHand);
  }

  #schedule(): void {
    if (this.#scheduled || this.#leading || this.#stopped) return;
    this.#scheduled = true;
    // What one fetch brought arrives in one turn of the event loop, and goes together.
    setImmediate(() => {
      this.#scheduled = false;
      void this.#lead();
    });
  }

  async #lead(): Promise<void> {
    if (this.#leading || this.#stopped) return;
    const portions = this.#gather();
    if (portions.length === 0) return;
    this.#leading = true;
    const ends = this.#options.begin(portions);
    const batch = Promise.all(portions.map((portion, index) => this.#release(portion, ends[index])));
    this.#inHand.add(batch);
    void batch.then(() => this.#inHand.delete(batch));
    if (!(await endsWithin(this.#options.handOffMs, batch))) this.#options.onHandOff();
    this.#leading = false;
    this.#schedule();
  }

  async #release({ partition }: Portion, end: Promise<void> | undefined): Promise<void> {
    await end;
    const lane = this.#lanes.get(partition);
    if (!lane) return;
    lane.busy = false;
    if (lane.waiting.length > 0) this.#schedule();
  }

  #isDue(message: ReceivedMessage): boolean {
    return this.#options.isDue?.(message) ?? true;
  }

  #gather(): Portion[] {
    const portions: Portion[] = [];
    const left = { messages: batchMessages, bytes: batchBytes };
    for (const lane of [...this.#lanes.values()]) {
      if (left.messages <= 0 || left.bytes <= 0) break;
      const [first] = lane.waiting;
      if (lane.busy || first === undefined || !this.#isDue(first)) continue;
      portions.push(this.#take(lane, left));
    }
    return portions;
  }

  #take(lane: Lane, left: { messages: number; bytes: number }): Portion {
    const { topic, partition, waiting } = lane;
    const bytesBefore = left.bytes;
    let count = 0;
    while (count < waiting.length && left.messages > 0 && left.bytes > 0 && this.#isDue(waiting[count]!)) {
      left.messages -= 1;
      left.bytes -= bytesOf(waiting[count++]!);
    }
    const messages = waiting.splice(0, count);
    lane.bytes -= bytesBefore - left.bytes;
    lane.busy = true;
    this.#lanes.delete(partition);
    this.#lanes.set(partition, lane); // served last from now on
    this.#options.onTaken({ topic, partition });
    return { topic, partition, messages };
  }
}
