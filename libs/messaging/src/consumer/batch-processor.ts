import { Outage, sqlFaultOf, waitBefore, type BackOff, type Logger } from '@paywright/platform';
import { infrastructureBackOff } from '../back-off.ts';
import { shortDeadLetter, type DeadLetterOffice } from '../dead-letter.ts';
import {
  describeError,
  InfrastructureFault,
  isInfrastructureFault,
  isTooLong,
  isUnauthorized,
  PublishFailed,
} from '../errors.ts';
import type { Failpoint } from '../failpoint.ts';
import {
  offsetAfter,
  type BatchHandler,
  type BatchResult,
  type OutgoingMessage,
  type ReceivedMessage,
  type Rewind,
} from '../message.ts';
import type { MessagingMetrics } from '../messaging-metrics.ts';

export interface BatchProcessorOptions {
  readonly group: string;
  readonly handler: BatchHandler;
  readonly publish: (messages: readonly OutgoingMessage[]) => Promise<void>;
  readonly deadLetters: DeadLetterOffice;
  /** Whether the handler's database answers: while it does not, no message is to blame. Never rejects. */
  readonly isDatabaseUp: () => Promise<boolean>;
  /** Called once a message that the handler cannot handle is a dead letter. */
  readonly passOver: (message: ReceivedMessage) => Promise<void>;
  readonly failpoint: Failpoint;
  readonly logger: Logger;
  readonly metrics: MessagingMetrics;
  /** A defect: whatever fails is the messages' fault. */
  readonly blamesMessages?: boolean;
  /** Between repetitions; that of the infrastructure if absent. */
  readonly backOff?: BackOff;
}

/**
 * Handled: read on at `next`. Sent back: read from elsewhere. Abandoned: nothing moves, and whoever has the partition
 * reads the batch again.
 */
export type BatchEnd =
  | { readonly kind: 'handled'; readonly next: string }
  | { readonly kind: 'sent back'; readonly rewind: Rewind }
  | { readonly kind: 'abandoned' };

const abandoned: BatchEnd = { kind: 'abandoned' };

const repeated = 'A batch failed and is repeated';

/** How often an unknown error passes for one of the infrastructure. */
const patience = 3;

/**
 * Runs a handler until its batch is done. A batch of several partitions is tried once; if it fails, each of them goes
 * on by itself, so that none waits for another's trouble. A fault of the infrastructure is waited for, however long, and so
 * is the broker if it refuses what is stored.
 * An unknown error counts as one three times; then the messages are halved until the one that causes it fails alone,
 * three times with the database up: that is a dead letter, and the next message goes on.
 */
export class BatchProcessor {
  readonly #options: BatchProcessorOptions;
  readonly #backOff: BackOff;
  readonly #outage: Outage;
  /** Batches that the infrastructure keeps waiting: one of them handled is not yet its return. */
  readonly #waiting = new Set<readonly ReceivedMessage[]>();

  constructor(options: BatchProcessorOptions) {
    this.#options = options;
    this.#outage = new Outage(options.logger, { lasts: repeated, isOver: 'Batches are handled again' });
    this.#backOff = options.backOff ?? infrastructureBackOff;
  }

  /**
   * @param partitions the messages of each, in offset order, at least one
   * @param giveUp ends repetitions; a handler that runs is waited for
   * @returns an end a partition, in order; none rejects
   */
  process(partitions: readonly (readonly ReceivedMessage[])[], giveUp: AbortSignal): readonly Promise<BatchEnd>[] {
    const together = partitions.length > 1 ? this.#tryTogether(partitions, giveUp) : null;
    return partitions.map(async (messages, index) => {
      const end = (await together)?.[index];
      return end ?? this.#repeat(messages, patience, giveUp);
    });
  }

  async #tryTogether(
    partitions: readonly (readonly ReceivedMessage[])[],
    giveUp: AbortSignal,
  ): Promise<readonly BatchEnd[] | null> {
    if (giveUp.aborted) return partitions.map(() => abandoned);
    const messages = partitions.flat();
    try {
      const result = await this.#handle(messages);
      this.#tellHandled();
      return partitions.map((ofOne) => endOf(ofOne, result));
    } catch (error) {
      this.#report(error, messages, !isOfNoMessage(error));
      return null;
    }
  }

  async #repeat(messages: readonly ReceivedMessage[], patienceLeft: number, giveUp: AbortSignal): Promise<BatchEnd> {
    const end = await this.#repeatUntilEnd(messages, patienceLeft, giveUp);
    this.#waiting.delete(messages);
    if (end.kind !== 'abandoned') this.#tellHandled();
    return end;
  }

  async #repeatUntilEnd(
    messages: readonly ReceivedMessage[],
    patienceLeft: number,
    giveUp: AbortSignal,
  ): Promise<BatchEnd> {
    let unknownFaults = 0;
    for (let attempt = 0; !giveUp.aborted; attempt++) {
      try {
        return endOf(messages, await this.#handle(messages));
      } catch (error) {
        unknownFaults = (await this.#isOfTheMessages(error)) ? unknownFaults + 1 : 0;
        if (unknownFaults === 0) this.#waiting.add(messages);
        this.#report(error, messages, unknownFaults > 0);
        if (unknownFaults >= patienceLeft) return this.#isolate(messages, error, giveUp);
      }
      await waitBefore(attempt, this.#backOff, giveUp);
    }
    return abandoned;
  }

  async #handle(messages: readonly ReceivedMessage[]): Promise<BatchResult> {
    const { handler, failpoint } = this.#options;
    const result = await handler(messages);
    failpoint('after_append');
    const published = result.stored ? this.#publish(result).catch(untilPublished) : this.#publish(result);
    await Promise.all([published, result.beside]);
    failpoint('after_publish');
    return result;
  }

  async #publish({ publish, deadLetters }: BatchResult): Promise<void> {
    const letters = deadLetters.flatMap(this.#options.deadLetters);
    try {
      await this.#options.publish([...publish, ...letters]);
    } catch (error) {
      if (letters.length === 0 || !isTooLong(error)) throw error;
      await this.#options.publish(publish);
      for (const letter of letters) await this.#publishLetter(letter);
    }
    for (const { message, reason } of deadLetters) {
      const { topic, partition, offset } = message;
      this.#options.metrics.deadLetters.inc({ group: this.#options.group, topic });
      this.#options.logger.error({ group: this.#options.group, topic, partition, offset, reason }, 'Dead letter');
    }
  }

  /** One that its topic does not take whole is told of in short: else it would hold up its partition for ever. */
  async #publishLetter(letter: OutgoingMessage): Promise<void> {
    try {
      await this.#options.publish([letter]);
    } catch (error) {
      if (!isTooLong(error)) throw error;
      await this.#options.publish([shortDeadLetter(letter)]);
    }
  }

  async #isOfTheMessages(error: unknown): Promise<boolean> {
    if (this.#options.blamesMessages) return true;
    return !isOfNoMessage(error) && (await this.#options.isDatabaseUp());
  }

  async #isolate(messages: readonly ReceivedMessage[], error: unknown, giveUp: AbortSignal): Promise<BatchEnd> {
    const [message] = messages;
    if (message && messages.length === 1) return this.#bury(message, error, giveUp);
    const middle = Math.ceil(messages.length / 2);
    for (const half of [messages.slice(0, middle), messages.slice(middle)]) {
      const end = await this.#repeat(half, half.length === 1 ? patience : 1, giveUp);
      if (end.kind !== 'handled') return end;
    }
    return handled(messages);
  }

  async #bury(message: ReceivedMessage, error: unknown, giveUp: AbortSignal): Promise<BatchEnd> {
    const reason = `The handler failed: ${describeError(error)}`;
    let isTold = false;
    for (let attempt = 0; !giveUp.aborted; attempt++) {
      try {
        if (!isTold) await this.#publish({ publish: [], deadLetters: [{ message, reason }] });
        isTold = true;
        if (giveUp.aborted) break; // its partition may have been claimed meanwhile, and be read from elsewhere
        await this.#options.passOver(message);
        return handled([message]);
      } catch (buryError) {
        this.#report(buryError, [message], false);
      }
      await waitBefore(attempt, this.#backOff, giveUp);
    }
    return abandoned;
  }

  #report(error: unknown, messages: readonly ReceivedMessage[], unknown: boolean): void {
    const { group, logger, metrics } = this.#options;
    metrics.backOffs.inc({ group, cause: unknown ? 'unknown' : 'infrastructure' });
    const { topic, partition, offset } = messages[0] ?? {};
    const fields = { group, topic, partition, offset, messages: messages.length, error: describeError(error) };
    if (unknown) logger.warn(fields, repeated);
    else this.#outage.failed(fields);
  }

  #tellHandled(): void {
    if (this.#waiting.size === 0) this.#outage.passed({ group: this.#options.group });
  }
}

const isOfNoMessage = (error: unknown): boolean =>
  isInfrastructureFault(error) || isUnauthorized(error) || sqlFaultOf(error) === 'database';

/** No message is to blame for what the broker refuses of what is stored: a right that lacks, a topic's bound. */
function untilPublished(error: unknown): never {
  throw error instanceof PublishFailed ? new InfrastructureFault('stored and not published', { cause: error }) : error;
}

/** Where a partition of a handled batch stands. */
function endOf(messages: readonly ReceivedMessage[], { rewinds }: BatchResult): BatchEnd {
  const [first] = messages;
  const rewind = rewinds?.find(({ topic, partition }) => topic === first?.topic && partition === first.partition);
  return rewind ? { kind: 'sent back', rewind } : handled(messages);
}

const handled = (messages: readonly ReceivedMessage[]): BatchEnd => ({
  kind: 'handled',
  next: offsetAfter(messages.at(-1)?.offset ?? '-1'),
});
