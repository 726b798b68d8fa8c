import type { AnyCommandDefinition, Reply, ReplyOf } from '@paywright/contracts';
import { endingWith, noTracer, type Clock, type HealthCheck, type Metrics, type Tracer } from '@paywright/platform';
import type { z } from 'zod';
import { endsWithin } from '../back-off.ts';
import type { KafkaConnection } from '../connection/kafka-connection.ts';
import { CommandTimeout, DeadlinePassed, PublishFailed, ServiceOverloaded, describeError } from '../errors.ts';
import type { OutgoingMessage } from '../message.ts';
import { messagingMetrics, type MessagingMetrics } from '../messaging-metrics.ts';
import type { CoalescingProducer } from '../producer/coalescing-producer.ts';
import { headersOfCommand } from './command-headers.ts';
import { decodeReply } from './decode-reply.ts';
import { PostedMessages } from './posted-messages.ts';
import { ReplyChannel } from './reply-channel.ts';
import { topicOfCommand } from './topic-of-command.ts';

export interface CommandClientOptions {
  readonly kafka: KafkaConnection;
  /** Best not shared with bulk traffic: its queue is what back-pressure is measured by. */
  readonly producer: CoalescingProducer;
  /** Ordinal of this process among those of its service. */
  readonly instance: number;
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly maxPending?: number;
  readonly repliesTopic?: string;
  /** The topic of a command, in place of the one that the contracts give it. */
  readonly topicOf?: (definition: AnyCommandDefinition) => string;
  /** Told of each awaited command of a recorded trace, from its call to its reply. */
  readonly tracer?: Tracer;
}

/** A command to be sent. `deadlineMs` is how long its reply is worth waiting for, from now. */
export interface CommandToSend<D extends AnyCommandDefinition> {
  readonly id: string;
  readonly appId: number;
  readonly key: string;
  readonly body: z.output<D['body']>;
  readonly deadlineMs: number;
  readonly traceparent?: string | undefined;
  /** The request that it comes from: what the service's log lines name it by. */
  readonly requestId?: string | undefined;
}

export type CommandToPost<D extends AnyCommandDefinition> = Omit<CommandToSend<D>, 'deadlineMs'>;

/** A broker that acknowledges nothing for so long is taken to be away: nobody shall wait two seconds for it. */
const silenceMs = 1_500;
const unacknowledged = 'the broker does not acknowledge';
const mostQueuedBytes = 16 * 1024 * 1024;
/** As long as the command topics keep their messages. */
const postDeadlineMs = 3 * 24 * 60 * 60 * 1_000;

/** Sends commands and awaits their replies. */
export class CommandClient implements HealthCheck {
  readonly name = 'command client';
  readonly #kafka: KafkaConnection;
  readonly #producer: CoalescingProducer;
  readonly #clock: Clock;
  readonly #metrics: MessagingMetrics;
  readonly #topicOf: (definition: AnyCommandDefinition) => string;
  readonly #replies: ReplyChannel;
  readonly #posted: PostedMessages;
  readonly #tracer: Tracer;

  constructor(options: CommandClientOptions) {
    const { kafka, producer, clock, instance, maxPending = 2_000, repliesTopic } = options;
    this.#kafka = kafka;
    this.#producer = producer;
    this.#clock = clock;
    this.#metrics = messagingMetrics(options.metrics);
    this.#topicOf = options.topicOf ?? topicOfCommand;
    this.#tracer = options.tracer ?? noTracer;
    this.#posted = new PostedMessages(producer, kafka.logger, this.#metrics);
    this.#replies = new ReplyChannel({
      kafka,
      metrics: this.#metrics,
      instance,
      maxPending,
      ...(repliesTopic !== undefined && { topic: repliesTopic }),
    });
  }

  /** Resolves when replies can be received. The producer is connected by whoever made it. */
  start(): Promise<void> {
    return this.#replies.start();
  }

  ready(): boolean | string {
    return this.#replies.isReady || 'the reply channel is not open';
  }

  /**
   * The service's reply. Waits for the broker until the deadline, or for 1.5 s; for the service until the deadline.
   * @throws ServiceOverloaded: nothing was sent, and the client may try again; CommandTimeout: the command may have
   * been carried out; PublishFailed: the broker refuses it as it is
   */
  async send<D extends AnyCommandDefinition>(definition: D, command: CommandToSend<D>): Promise<Reply<ReplyOf<D>>> {
    const { id, traceparent: parent } = command;
    const attributes = { 'paywright.request_id': command.requestId ?? id };
    const span = parent
      ? this.#tracer.start(`await ${definition.type}`, { kind: 'internal', parent, attributes })
      : null;
    if (span === null) return this.#send(definition, command);
    return endingWith([span], this.#send(definition, { ...command, traceparent: span.traceparent }));
  }

  async #send<D extends AnyCommandDefinition>(
    definition: D,
    { deadlineMs, ...command }: CommandToSend<D>,
  ): Promise<Reply<ReplyOf<D>>> {
    this.#refuseIfOverloaded();
    const message = this.#encode(definition, command, deadlineMs, this.#replies.partition);
    const reply = this.#replies.replyTo(command.id, definition.type, deadlineMs);
    this.#publish(message, deadlineMs).catch((error: unknown) => this.#unsent(command.id, error));
    return decodeReply(definition, await reply);
  }

  /**
   * Sends a command whose reply nobody awaits, again and again until the broker has it. Held in memory: what is not
   * delivered when the process dies is lost.
   * @throws ServiceOverloaded if too many wait already
   */
  post<D extends AnyCommandDefinition>(definition: D, command: CommandToPost<D>): void {
    this.#posted.post(this.#encode(definition, command, postDeadlineMs, undefined));
  }

  /**
   * Resolves when the broker has the command, for good. Nobody awaits a reply, and no deadline ends the command itself.
   * @param deadlineMs how long the broker is waited for, from now, but 1.5 s at most
   * @throws ServiceOverloaded: nothing was sent; DeadlinePassed, PublishFailed: it may have been. All but a
   * PublishFailed that is not retriable are safe to repeat under the same id
   */
  async deliver<D extends AnyCommandDefinition>(
    definition: D,
    { deadlineMs, ...command }: CommandToSend<D>,
  ): Promise<void> {
    this.#refuseIfOverloaded();
    const message = this.#encode(definition, command, postDeadlineMs, undefined);
    return this.#publish(message, deadlineMs);
  }

  /** Delivers what was posted, within 3 s, and closes the reply channel. The producer stays open. */
  async stop(): Promise<void> {
    await this.#posted.stop();
    await this.#replies.stop();
  }

  /** @throws DeadlinePassed; whatever the producer throws */
  async #publish(message: OutgoingMessage, deadlineMs: number): Promise<void> {
    const withinMs = Math.min(deadlineMs, silenceMs);
    if (await endsWithin(withinMs, this.#producer.sendWithDeadline([message], withinMs))) return;
    throw new DeadlinePassed('The broker did not acknowledge in time.');
  }

  #refuseIfOverloaded(): void {
    const bound = this.#exceededBound();
    if (bound === null) return;
    this.#metrics.overloads.inc({ bound });
    throw new ServiceOverloaded(`Commands are refused for a moment: ${bound}.`);
  }

  #exceededBound(): string | null {
    if (this.#replies.isFull) return 'too many replies are awaited';
    if (this.#producer.queuedBytes > mostQueuedBytes) return 'too much waits for the broker';
    return this.#producer.stalledMs > silenceMs ? unacknowledged : null;
  }

  /** Ends the wait for its reply. A command that was not acknowledged may have got through after all. */
  #unsent(commandId: string, error: unknown): void {
    if (error instanceof DeadlinePassed || (error instanceof PublishFailed && error.retriable)) {
      this.#metrics.overloads.inc({ bound: unacknowledged });
      return this.#replies.cancel(commandId, new CommandTimeout('The broker did not acknowledge the command in time.'));
    }
    if (error instanceof ServiceOverloaded) this.#metrics.overloads.inc({ bound: 'the queue is full' });
    else this.#kafka.logger.error({ error: describeError(error) }, 'A command was refused by the broker');
    this.#replies.cancel(commandId, error instanceof Error ? error : new Error('The command was not sent.'));
  }

  #encode<D extends AnyCommandDefinition>(
    definition: D,
    { id, appId, key, body, traceparent, requestId }: CommandToPost<D>,
    deadlineMs: number,
    replyPartition: number | undefined,
  ): OutgoingMessage {
    const { type, version } = definition;
    const issuedAt = this.#clock.now();
    const headers = headersOfCommand({
      id,
      type,
      version,
      app: appId,
      'issued-at': issuedAt,
      deadline: issuedAt + deadlineMs,
      'reply-partition': replyPartition,
      traceparent,
      'request-id': requestId === id ? undefined : requestId,
    });
    return { topic: this.#topicOf(definition), key, headers, value: JSON.stringify(body) };
  }
}
