import type { HealthCheck } from '@paywright/platform';
import { Server, type CustomTransportStrategy, type MessageHandler } from '@nestjs/microservices';
import { isObservable, lastValueFrom } from 'rxjs';
import { BatchConsumer } from '../consumer/batch-consumer.ts';
import type { BatchConsumerOptions } from '../consumer/batch-consumer-options.ts';
import { exitOnCrash } from '../consumer/open-consumer.ts';
import type { BatchResult, ReceivedMessage } from '../message.ts';

export type KafkaBatchServerOptions = Omit<BatchConsumerOptions, 'topic' | 'handler'>;

/** What `on` tells: the strategy's own events. */
export interface KafkaBatchServerEvents extends Record<string, (...details: never[]) => void> {
  /** The group is joined. */
  connected: () => void;
  /** The consumer is lost; the process is about to end. */
  crashed: () => void;
}

/**
 * A Nest transport strategy, one a consumer group. A controller's `@MessagePattern('profile.commands')` gets a batch
 * as its payload (`ReceivedMessage[]` of that topic, each partition's in order) and returns a `BatchResult`.
 *
 * A handler throws only for a fault of the infrastructure, or by a defect: the batch is then repeated with a
 * back-off (see BatchProcessor). PassErrorsThrough keeps Nest from hiding which of the two it was.
 */
export class KafkaBatchServer extends Server<KafkaBatchServerEvents> implements CustomTransportStrategy, HealthCheck {
  readonly name: string;
  readonly #options: KafkaBatchServerOptions;
  readonly #listeners = new Map<keyof KafkaBatchServerEvents, (() => void)[]>();
  #consumer: BatchConsumer | undefined;
  #closed = false;

  constructor(options: KafkaBatchServerOptions) {
    super();
    this.name = `consumer ${options.group}`;
    this.#options = options;
  }

  /** Called by Nest when the microservice starts to listen; not once it is closed. */
  listen(callback: (error?: unknown) => void): void {
    if (this.#closed) return callback(new Error(`The ${this.name} is closed.`));
    this.#consumer = new BatchConsumer({
      ...this.#options,
      topic: [...this.messageHandlers.keys()],
      handler: (messages) => this.#handle(messages),
      onFinalCrash: () => this.#crashed(),
    });
    this.#consumer.start().then(() => {
      this._status$.next('connected');
      this.#tell('connected');
      callback();
    }, callback);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#consumer?.stop();
  }

  on<Event extends keyof KafkaBatchServerEvents>(event: Event, callback: KafkaBatchServerEvents[Event]): void {
    this.#listeners.set(event, [...(this.#listeners.get(event) ?? []), callback]);
  }

  unwrap<Consumer>(): Consumer {
    return this.#consumer as Consumer;
  }

  ready(): boolean | string {
    return this.#consumer?.ready() ?? 'not listening yet';
  }

  async #handle(messages: readonly ReceivedMessage[]): Promise<BatchResult> {
    const topic = messages[0]?.topic ?? '';
    const handler: MessageHandler<readonly ReceivedMessage[], undefined, BatchResult> | undefined =
      this.messageHandlers.get(topic);
    if (!handler) throw new Error(`No handler takes ${topic}.`);
    const result = await handler(messages);
    return isObservable(result) ? lastValueFrom(result) : result;
  }

  #crashed(): void {
    this._status$.next('crashed');
    this.#tell('crashed');
    (this.#options.onFinalCrash ?? exitOnCrash)();
  }

  #tell(event: keyof KafkaBatchServerEvents): void {
    for (const listener of this.#listeners.get(event) ?? []) listener();
  }
}
