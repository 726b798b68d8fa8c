import { endingWith, noTracer, waitBefore, type HealthCheck, type Metrics, type Tracer } from '@paywright/platform';
import { endsWithin, produceBackOff } from '../back-off.ts';
import type { KafkaConnection } from '../connection/kafka-connection.ts';
import { untilReached } from '../connection/until-reached.ts';
import { noDefects, type Defect } from '../defects.ts';
import { DeadlinePassed, PublishFailed, ServiceOverloaded, describeError } from '../errors.ts';
import type { OutgoingMessage } from '../message.ts';
import { messagingMetrics, type MessagingMetrics } from '../messaging-metrics.ts';
import { tracePublishing } from '../tracing/trace-publishing.ts';
import { ProduceClient } from './produce-client.ts';
import { causeOf, isRetriable } from '../connection/kafka-error.ts';
import { acknowledge, fail, flushLength, sizeOf, type Entry, type QueuedMessage } from './queue.ts';

export interface CoalescingProducerOptions {
  readonly kafka: KafkaConnection;
  readonly metrics: Metrics;
  readonly maxQueuedMessages?: number;
  readonly defects?: ReadonlySet<Defect>;
  /** Told of each message that belongs to a recorded trace, from its call to its acknowledgement. */
  readonly tracer?: Tracer;
}

const retries = 8;
const mostQueuedBytes = 64 * 1024 * 1024;
const closeTimeoutMs = 3_000;

/**
 * One request in flight: while it is, arrivals gather, and the next request takes them together. So order holds,
 * and the more there is to send, the fewer requests it takes.
 */
export class CoalescingProducer implements HealthCheck {
  readonly name = 'kafka producer';
  readonly #client: ProduceClient;
  readonly #connection: KafkaConnection;
  readonly #metrics: MessagingMetrics;
  readonly #naive: boolean;
  readonly #tracer: Tracer;
  readonly #bounds: { messages: number; bytes: number };
  readonly #closing = new AbortController();
  #queue: QueuedMessage[] = [];
  #unacknowledged = { messages: 0, bytes: 0 };
  #connected = false;
  #flushing: Promise<void> | null = null;
  /** When the broker last answered, or was asked after a rest. By `performance.now()`. */
  #lastProgress = 0;
  /** Whether it left the last request without an answer: what it is asked next begins no new patience. */
  #isSilent = false;

  constructor(options: CoalescingProducerOptions) {
    const { kafka, metrics, maxQueuedMessages = 50_000, defects = noDefects } = options;
    this.#connection = kafka;
    this.#metrics = messagingMetrics(metrics);
    const unacknowledgedFor = 'For how long the brokers have acknowledged nothing of what waits';
    metrics.gauge('messaging_producer_stalled_seconds', unacknowledgedFor, [], () => this.stalledMs / 1_000);
    this.#naive = defects.has('idempotent-producer');
    this.#tracer = options.tracer ?? noTracer;
    this.#bounds = { messages: maxQueuedMessages, bytes: mostQueuedBytes };
    this.#client = new ProduceClient(kafka, this.#metrics, this.#naive);
  }

  /** Connects, however long no broker answers. @throws what waiting does not change; the signal's reason */
  start(until?: AbortSignal): Promise<void> {
    return untilReached(this.#connection, () => this.connect(), until);
  }

  /** @throws if no broker answers within some seconds */
  async connect(): Promise<void> {
    await this.#client.connect();
    this.#connected = true;
  }

  /** True once connected: a broker that is away for a while is for the callers' deadlines. */
  ready(): boolean | string {
    return this.#connected || 'not connected yet';
  }

  /** Messages that are not acknowledged yet, in the queue and in flight. */
  get queuedMessages(): number {
    return this.#unacknowledged.messages;
  }

  get queuedBytes(): number {
    return this.#unacknowledged.bytes;
  }

  /** For how long the broker has acknowledged nothing, in milliseconds; 0 while there is nothing to acknowledge. */
  get stalledMs(): number {
    return this.#unacknowledged.messages === 0 ? 0 : performance.now() - this.#lastProgress;
  }

  /**
   * Resolves when every replica in sync has all the messages. Messages of one call keep their order.
   * @throws ServiceOverloaded if the queue is full (nothing was sent); PublishFailed: any of them may be stored
   */
  send(messages: readonly OutgoingMessage[]): Promise<void> {
    return this.#publish(messages, Infinity);
  }

  /**
   * Like send, for what is worthless after so many milliseconds.
   * @throws DeadlinePassed too: they waited too long; stored only if they were tried before
   */
  sendWithDeadline(messages: readonly OutgoingMessage[], withinMs: number): Promise<void> {
    return this.#publish(messages, performance.now() + withinMs);
  }

  /** Resolves when nothing is queued or in flight any more. */
  async flush(): Promise<void> {
    while (this.#flushing) await this.#flushing;
  }

  /** Sends what is queued, for at most 3 s, and disconnects. What is left then fails with PublishFailed. */
  async close(): Promise<void> {
    await endsWithin(closeTimeoutMs, this.flush());
    this.#closing.abort();
    this.#connected = false;
    await endsWithin(closeTimeoutMs, this.#client.disconnect());
  }

  #publish(messages: readonly OutgoingMessage[], deadline: number): Promise<void> {
    const traced = tracePublishing(this.#tracer, messages);
    const delivery = this.#enqueue(traced.messages, deadline);
    return traced.spans.length === 0 ? delivery : endingWith(traced.spans, delivery);
  }

  async #enqueue(messages: readonly OutgoingMessage[], deadline: number): Promise<void> {
    if (messages.length === 0) return;
    const sized = messages.map((message) => ({ message, bytes: sizeOf(message) }));
    const bytes = sized.reduce((sum, message) => sum + message.bytes, 0);
    this.#admit(messages.length, bytes);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const entry: Entry = { unacknowledged: messages.length, settled: false, deadline, resolve, reject };
    if (this.queuedMessages === 0 && !this.#isSilent) this.#lastProgress = performance.now();
    this.#count(messages.length, bytes);
    const queued = sized.map((message) => ({ ...message, entry }));
    if (this.#naive) void this.#deliver(queued).finally(() => this.#count(-messages.length, -bytes));
    else {
      for (const message of queued) this.#queue.push(message);
      this.#flushing ??= this.#flushAll();
    }
    await promise;
  }

  #admit(messages: number, bytes: number): void {
    if (this.#closing.signal.aborted) throw new ServiceOverloaded('The producer is closed.');
    const waiting = this.#unacknowledged;
    if (waiting.messages === 0) return;
    if (waiting.messages + messages > this.#bounds.messages || waiting.bytes + bytes > this.#bounds.bytes)
      throw new ServiceOverloaded('The queue of messages to publish is full.');
  }

  #count(messages: number, bytes: number): void {
    this.#unacknowledged.messages += messages;
    this.#unacknowledged.bytes += bytes;
    this.#metrics.queuedMessages.set(this.#unacknowledged.messages);
    this.#metrics.queuedBytes.set(this.#unacknowledged.bytes);
  }

  async #flushAll(): Promise<void> {
    // What arrives in the same turn of the event loop travels together.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#queue.length > 0) {
      const flush = this.#queue.splice(0, flushLength(this.#queue));
      await this.#deliver(flush);
      this.#count(-flush.length, -flush.reduce((sum, { bytes }) => sum + bytes, 0));
    }
    this.#flushing = null;
  }

  /** Sends until acknowledged or given up; settles every entry of which a message failed. Never rejects. */
  async #deliver(flush: readonly QueuedMessage[]): Promise<void> {
    let failure: unknown;
    for (let attempt = 0; attempt <= retries && !this.#closing.signal.aborted; attempt++) {
      const live = stillWanted(flush);
      if (live.length === 0) return;
      try {
        await this.#client.produce(live.map(({ message }) => message));
        this.#answered();
        this.#metrics.flushSize.observe(live.length);
        return live.forEach(acknowledge);
      } catch (error) {
        if (!isRetriable(error)) {
          this.#answered();
          return this.#deliverInHalves(live, error);
        }
        failure = error;
        this.#isSilent = true;
      }
      this.#metrics.produceRetries.inc({ cause: causeOf(failure).name });
      await waitBefore(attempt, produceBackOff, this.#closing.signal);
    }
    const cause = causeOf(failure ?? new Error('closed'));
    this.#connection.logger.error({ error: describeError(cause), messages: flush.length }, 'Publishing failed');
    for (const message of flush) fail(message, new PublishFailed(cause, true));
  }

  #answered(): void {
    this.#lastProgress = performance.now();
    this.#isSilent = false;
  }

  /** The broker refuses one of the messages: halved again and again, it fails alone. */
  async #deliverInHalves(flush: readonly QueuedMessage[], error: unknown): Promise<void> {
    const [only, ...others] = flush;
    if (only && others.length === 0) return fail(only, new PublishFailed(causeOf(error), false));
    const middle = Math.ceil(flush.length / 2);
    await this.#deliver(flush.slice(0, middle));
    await this.#deliver(flush.slice(middle));
  }
}

/** Drops what nobody waits for any more: expired, or part of an entry of which another message failed. */
function stillWanted(flush: readonly QueuedMessage[]): QueuedMessage[] {
  const now = performance.now();
  return flush.filter((message) => {
    if (message.entry.deadline <= now) fail(message, new DeadlinePassed('Not published before the deadline.'));
    return !message.entry.settled;
  });
}
