import type { Logger } from '@paywright/platform';
import { endsWithin, infrastructureBackOff, waitBefore } from '../back-off.ts';
import { PublishFailed, ServiceOverloaded, describeError } from '../errors.ts';
import type { OutgoingMessage } from '../message.ts';
import type { MessagingMetrics } from '../messaging-metrics.ts';
import type { CoalescingProducer } from '../producer/coalescing-producer.ts';

const maxWaiting = 1_000;
const stopTimeoutMs = 3_000;

/** Messages that are sent until the broker has them, while the caller goes on. */
export class PostedMessages {
  readonly #producer: CoalescingProducer;
  readonly #logger: Logger;
  readonly #metrics: MessagingMetrics;
  readonly #waiting = new Set<Promise<void>>();
  readonly #stopping = new AbortController();

  constructor(producer: CoalescingProducer, logger: Logger, metrics: MessagingMetrics) {
    this.#producer = producer;
    this.#logger = logger;
    this.#metrics = metrics;
  }

  /** @throws ServiceOverloaded if too many wait */
  post(message: OutgoingMessage): void {
    if (this.#waiting.size >= maxWaiting) throw new ServiceOverloaded('Too many posted messages wait for the broker.');
    const delivery = this.#deliver(message).finally(() => {
      this.#waiting.delete(delivery);
      this.#metrics.postedMessages.set(this.#waiting.size);
    });
    this.#waiting.add(delivery);
    this.#metrics.postedMessages.set(this.#waiting.size);
  }

  /** Waits up to 3 s for what is under way, then gives up. */
  async stop(): Promise<void> {
    await endsWithin(stopTimeoutMs, Promise.all(this.#waiting));
    this.#stopping.abort();
  }

  async #deliver(message: OutgoingMessage): Promise<void> {
    for (let attempt = 0; !this.#stopping.signal.aborted; attempt++) {
      try {
        return await this.#producer.send([message]);
      } catch (error) {
        if (error instanceof PublishFailed && !error.retriable) return this.#lost(message, error);
      }
      await waitBefore(attempt, infrastructureBackOff, this.#stopping.signal);
    }
    this.#lost(message, new ServiceOverloaded('The process stopped.'));
  }

  #lost({ topic, headers: { type } }: OutgoingMessage, error: Error): void {
    this.#logger.error({ topic, type, error: describeError(error) }, 'A posted message was not delivered');
  }
}
