import {
  type ForgetBuyer,
  ObservePurchase,
  RecordNotification,
  type TakeNotification,
  topics,
  type ValidatePurchase,
} from '@paywright/contracts';
import {
  type BatchResult,
  type BrokerTime,
  decodeCommands,
  inPlaceOf,
  type OutgoingMessage,
  type ReceivedMessage,
  refusalOf,
  unawaitedCommand,
} from '@paywright/messaging';
import { CannotUnseal, type Clock, derivedId, type Logger, onBehalfOf, type Sealing } from '@paywright/platform';
import { chainIdOf } from '@paywright/purchases';
import { StoreFault } from '@paywright/stores';
import { type HeardEvents, isInStripeHistory } from '../look-ups/heard-events.ts';
import type { LookUpBook, Unvalued } from '../look-ups/look-up-book.ts';
import { type LookUpSubject, placeOfUnsettled, unsettledOf } from '../look-ups/look-up-subject.ts';
import type { Answer } from './answer.ts';
import type { Forgetting } from './forgetting.ts';
import type { Observed } from './observed.ts';
import type { PlayChains } from './play-chains.ts';
import { refusalFor } from './refusals.ts';
import { type Claimed, ofAppStore, type StoreQuestions } from './store-questions.ts';

const sealedElsewhere =
  'No master key at hand opens the purchase token: give the one that sealed it to all instances of purchase-validation, as MASTER_KEY_FORMER.';

/** To gather the facts of one request, retries and sandbox included. */
export const questionMs = 5_000;

export interface PurchaseRequestsOptions {
  readonly questions: StoreQuestions;
  readonly observed: Observed;
  readonly forgetting: Forgetting;
  readonly lookUps: LookUpBook;
  readonly heard: Pick<HeardEvents, 'note'>;
  readonly playChains: PlayChains;
  /** Of purchase tokens on their way. */
  readonly tokens: Sealing;
  readonly clock: Clock;
  /** Told of all that is fetched: tells what waited behind an outage. */
  readonly brokerTime: BrokerTime;
  readonly logger: Logger;
}

/** What becomes of a request. `kept`: once it is kept how the chain is asked for again. */
interface Outcome {
  readonly publish: readonly OutgoingMessage[];
  readonly deadLetters?: BatchResult['deadLetters'];
  readonly kept?: Promise<void>;
}

/** Turns each request into the command that takes in what its store says, or into the store's no. */
export class PurchaseRequests {
  readonly #options: PurchaseRequestsOptions;

  constructor(options: PurchaseRequestsOptions) {
    this.#options = options;
  }

  /** @throws if database or read model are away: the same messages come again */
  async handle(messages: readonly ReceivedMessage[]): Promise<BatchResult> {
    const outcomes: Outcome[] = [];
    const deadLetters: BatchResult['deadLetters'][number][] = [];
    for (const message of messages) {
      const decoded = decodeCommands(topics.purchaseRequests, [message]);
      deadLetters.push(...decoded.deadLetters);
      for (const command of decoded.commands) {
        const outcome = await onBehalfOf(traceOf(command), () => this.#answer(command, message));
        outcome.kept?.catch(() => undefined); // `beside` tells of it, once all messages are answered
        outcomes.push(outcome);
        deadLetters.push(...(outcome.deadLetters ?? []));
      }
    }
    const beside = Promise.all(outcomes.flatMap(({ kept }) => kept ?? []));
    return { publish: outcomes.flatMap(({ publish }) => publish), deadLetters, beside };
  }

  async #answer(
    command: ValidatePurchase | TakeNotification | ForgetBuyer,
    message: ReceivedMessage,
  ): Promise<Outcome> {
    switch (command.type) {
      case 'ValidatePurchase':
        return this.#validate(command, message);
      case 'TakeNotification':
        return this.#takeNotification(command, message);
      case 'ForgetBuyer':
        return { publish: await this.#options.forgetting.forget(command, message) };
    }
  }

  async #validate(command: ValidatePurchase, message: ReceivedMessage): Promise<Outcome> {
    const { appId, body } = command;
    const { questions, observed, brokerTime } = this.#options;
    const timeLeft = brokerTime.timeLeft(command, message);
    if (timeLeft <= 0) {
      this.#logHandled(command, { outcome: 'expired' });
      return { publish: [] }; // the client was told to try again
    }
    try {
      const within = Math.min(questionMs, timeLeft);
      const claimed = await questions.claimed(appId, this.#opened(appId, body.purchase), within);
      const cause = { claim: command, notification: null };
      const { answer, body: observe, missing } = await observed.commandBody(appId, claimed, cause);
      const taken = inPlaceOf(message, ObservePurchase, { key: answer.chainId, body: observe });
      return this.#taken(appId, answer, taken, missing);
    } catch (error) {
      if (error instanceof CannotUnseal) return { publish: this.#lacksKey(command, message) };
      if (!(error instanceof StoreFault)) throw error;
      const refusal = refusalFor(error);
      this.#logHandled(command, { outcome: 'refused', code: refusal.code });
      return { publish: refusalOf(message, refusal) };
    }
  }

  /** The client asks again, as of credentials that cannot be opened. Of a notification nobody does: it is kept aside. */
  #lacksKey({ id, requestId = id }: ValidatePurchase, message: ReceivedMessage): readonly OutgoingMessage[] {
    this.#options.logger.error({ requestId, reason: sealedElsewhere }, 'A purchase token cannot be opened');
    return refusalOf(message, refusalFor(new StoreFault('unavailable', 'The purchase token cannot be opened.')));
  }

  /** What comes to no command: of the others the command that they become is logged so, under the same request's id. */
  #logHandled({ id, type, requestId = id }: ValidatePurchase, fields: { outcome: string; code?: string }): void {
    this.#options.logger.debug({ requestId, type, ...fields }, 'Handled');
  }

  async #takeNotification(command: TakeNotification, message: ReceivedMessage): Promise<Outcome> {
    try {
      const { publish, kept } = await this.#seeTo(command);
      return { publish, kept: Promise.all([kept, this.#hear(command)]).then(() => undefined) };
    } catch (error) {
      if (!(error instanceof CannotUnseal)) throw error;
      return { publish: [], deadLetters: [{ message, reason: sealedElsewhere }] };
    }
  }

  /** Once it is seen to, so that one that is not comes again with its store's history. */
  async #hear({ appId, body: { content, notification } }: TakeNotification): Promise<void> {
    const { notificationId, notificationType: type } = notification;
    const isInHistory =
      content.store === 'app_store' ||
      (content.store === 'stripe' && content.subject !== null && isInStripeHistory(type));
    if (isInHistory) await this.#options.heard.note(appId, notificationId);
  }

  async #seeTo(command: TakeNotification): Promise<Outcome> {
    const { appId, body } = command;
    const subject = this.#subjectOf(appId, body.content);
    if (subject === null) return { publish: [recorded(command)] };
    try {
      const answer = await this.#told(appId, body.content, subject);
      return answer === null ? { publish: [recorded(command)] } : await this.#observe(command, answer);
    } catch (error) {
      if (!(error instanceof StoreFault)) throw error;
      return { publish: [await this.#askLater(command, subject, error)] };
    }
  }

  async #observe(command: TakeNotification, told: Answer): Promise<Outcome> {
    const { appId, issuedAt, traceparent, body } = command;
    const { observed } = this.#options;
    const cause = { claim: null, notification: body.notification };
    const { answer, body: observe, missing } = await observed.commandBody(appId, told, cause);
    // Told again, the store has more to say: by the notification's id alone it would be taken for what was said before.
    const id = derivedId(`${command.id} of ${answer.chainId} at ${answer.observation.observedAt}`);
    const message = { id, appId, key: answer.chainId, body: observe, issuedAt, traceparent };
    return this.#taken(appId, answer, unawaitedCommand(ObservePurchase, message), missing);
  }

  #taken(appId: number, answer: Answer, observe: OutgoingMessage, missing: Unvalued): Outcome {
    const { observed } = this.#options;
    return {
      publish: [observe, ...observed.replacements(appId, answer)],
      kept: observed.keep(appId, answer, missing),
    };
  }

  /** What an App Store notification says itself; of the others only the store can tell. */
  #told(appId: number, content: TakeNotification['body']['content'], subject: LookUpSubject): Promise<Answer | null> {
    if (content.store === 'app_store' && content.observation !== null)
      return Promise.resolve(ofAppStore(appId, content.observation, 'notified'));
    return this.#options.questions.about(appId, subject, questionMs);
  }

  /** The news is not lost with the store's silence: it is recorded, and the chain is asked for until it answers. */
  async #askLater(command: TakeNotification, subject: LookUpSubject, fault: StoreFault): Promise<OutgoingMessage> {
    const { appId } = command;
    const { lookUps, clock, logger } = this.#options;
    const [chainId, now] = [await this.#chainOf(appId, subject), clock.now()];
    await lookUps.unanswered({ appId, chainId, subject }, now, fault.kind);
    if (subject.store === 'play_store' && subject.orderId !== null) {
      // By a place of its own: the chain's is asked about its latest order.
      const ofOrder = { ...subject, unreadSince: now };
      const place = placeOfUnsettled(chainId, unsettledOf(ofOrder)!);
      await lookUps.unanswered({ appId, chainId: place, subject: ofOrder }, now, fault.kind);
    }
    logger.info({ appId, store: subject.store, fault: fault.kind }, 'A store is asked later about a notification');
    return recorded(command, chainId);
  }

  async #chainOf(appId: number, subject: LookUpSubject): Promise<string> {
    switch (subject.store) {
      case 'app_store':
        return chainIdOf(appId, 'app_store', subject.originalTransactionId);
      case 'play_store': {
        const place = await this.#options.playChains.find(appId, subject.purchaseToken);
        return place?.chainId ?? chainIdOf(appId, 'play_store', subject.purchaseToken);
      }
      case 'stripe':
        return chainIdOf(appId, 'stripe', subject.subject.id);
    }
  }

  #opened(appId: number, purchase: ValidatePurchase['body']['purchase']): Claimed {
    if (purchase.store === 'app_store') return purchase;
    const { store, sealedToken, productId, kind } = purchase;
    return { store, purchaseToken: this.#options.tokens.open(sealedToken, String(appId)), productId, kind };
  }

  #subjectOf(appId: number, content: TakeNotification['body']['content']): LookUpSubject | null {
    switch (content.store) {
      case 'app_store':
        return content.observation && ofAppStore(appId, content.observation, 'notified').subject;
      case 'play_store': {
        if (content.subject === null) return null;
        const { sealedToken, kind, orderId, voids } = content.subject;
        const purchaseToken = this.#options.tokens.open(sealedToken, String(appId));
        // Google names an order of what it voided alone.
        const isVoided = orderId !== null && { isVoided: true, ...(voids === 'all' && { isVoidedWhole: true }) };
        return { store: 'play_store', purchaseToken, kind, orderId, ...isVoided };
      }
      case 'stripe':
        return content.subject && { store: 'stripe', subject: content.subject };
    }
  }
}

/** Of all that a batch is traced for, a question to a store is part of its own request alone. */
const traceOf = ({ traceparent }: { readonly traceparent?: string | undefined }) =>
  traceparent === undefined ? [] : [{ traceparent }];

/**
 * Its own id: the command that takes it in may still come, when the store has answered. The chain is part of it: asked
 * again after a crash, the token may be known to be of an older one, and an id belongs to one stream.
 */
function recorded(command: TakeNotification, chainId: string = command.key): OutgoingMessage {
  const { id, appId, issuedAt, traceparent, body } = command;
  const { store } = body.content;
  return unawaitedCommand(RecordNotification, {
    id: derivedId(`${id} recorded in ${chainId}`),
    appId,
    key: chainId,
    issuedAt,
    traceparent,
    body: { store, notification: body.notification },
  });
}
