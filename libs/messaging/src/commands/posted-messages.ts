import { waitBefore, type Logger } from '@paywright/platform';
import { endsWithin, infrastructureBackOff } from '../back-off.ts';
import { PublishFailed, ServiceOverloaded, describeError } from '../errors.ts';
import type { OutgoingMessage } from '../message.ts';
import type { MessagingMetrics } from '../messaging-metrics.ts';
import type { CoalescingProducer } from '../producer/coalescing-producer.ts';
import { sizeOf } from '../producer/queue.ts';

/** In memory they take some twice as much. */
const maxWaitingBytes = 32 * 1024 * 1024;
/** Sent at a time: the producer's queue stays free for what somebody waits for. */
const mostAtOnce = 500;
const stopTimeoutMs = 3_000;

/** Messages that are sent until the broker has them, while the caller goes on. */
export class PostedMessages {
  readonly #producer: CoalescingProducer;
  readonly #logger: Logger;
  readonly #metrics: MessagingMetrics;
  readonly #stopping = new AbortController();
  readonly #waiting: OutgoingMessage[] = [];
  #bytes = 0;
  #sending: Promise<void> | null = null;

  constructor(producer: CoalescingProducer, logger: Logger, metrics: MessagingMetrics) {
    this.#producer = producer;
    this.#logger = logger;
    this.#metrics = metrics;
  }

  /** @throws ServiceOverloaded if too much waits */
  post(message: OutgoingMessage): void {
    const bytes = sizeOf(message);
    if (this.#bytes + bytes > maxWaitingBytes) throw new ServiceOverloaded('Too much waits for the broker.');
    this.#waiting.push(message);
    this.#count(bytes);
    this.#sending ??= this.#sendAll();
  }

  /** Waits up to 3 s for what is under way, then gives up. */
  async stop(): Promise<void> {
    await endsWithin(stopTimeoutMs, this.#sending ?? Promise.resolve());
    this.#stopping.abort();
    const messages = this.#waiting.length;
    if (messages > 0) this.#logger.error({ messages }, 'The process stops before the broker has all that was posted');
  }

  async #sendAll(): Promise<void> {
    for (let attempt = 0; this.#waiting.length > 0 && !this.#stopping.signal.aborted;) {
      const batch = this.#waiting.slice(0, mostAtOnce);
      const isDone = await Promise.all(batch.map((message) => this.#send(message)));
      const left = batch.filter((_, index) => !isDone[index]);
      this.#waiting.splice(0, batch.length, ...left);
      this.#count(bytesOf(left) - bytesOf(batch));
      if (left.length > 0) await waitBefore(attempt++, infrastructureBackOff, this.#stopping.signal);
      else attempt = 0;
    }
    this.#sending = null;
  }

  /** Whether there is nothing more to do for it: the broker has it, or will never take it. */
  async #send(message: OutgoingMessage): Promise<boolean> {
    try {
      await this.#producer.send([message]);
      return true;
    } catch (error) {
      if (!(error instanceof PublishFailed) || error.retriable) return false;
      const { topic, headers } = message;
      const told = { topic, type: headers['type'], error: describeError(error) };
      this.#logger.error(told, 'A posted message was not delivered');
      return true;
    }
  }

  #count(bytes: number): void {
    this.#bytes += bytes;
    this.#metrics.postedMessages.set(this.#waiting.length);
  }
}

const bytesOf = (messages: readonly OutgoingMessage[]) => messages.reduce((sum, message) => sum + sizeOf(message), 0);
