import { ObservePurchase, stores } from '@paywright/contracts';
import { type OutgoingMessage, unawaitedCommand } from '@paywright/messaging';
import { type Clock, derivedId, type Logger, type Metrics } from '@paywright/platform';
import { StoreFault } from '@paywright/stores';
import type { Answer } from '../asking/answer.ts';
import type { AppSettingsBook } from '../asking/app-settings.ts';
import type { Observed } from '../asking/observed.ts';
import { questionMs } from '../asking/purchase-requests.ts';
import { askedAtATime } from '../asking/store-guard.ts';
import type { StoreQuestions } from '../asking/store-questions.ts';
import type { ChainPlace, ClaimedLookUp, LookUp, LookUpBook } from './look-up-book.ts';
import type { Asked, LookUpPace } from './look-up-pace.ts';
import { type Unsettled, unsettledOf } from './look-up-subject.ts';
import { longestPauseMs, nextLookAtUnsettled, notReadPauseMs } from './next-look.ts';

export interface ReconciliationOptions {
  readonly apps: Pick<AppSettingsBook, 'appIds'>;
  readonly lookUps: LookUpBook;
  readonly questions: StoreQuestions;
  readonly observed: Observed;
  readonly pace: LookUpPace;
  readonly publish: (messages: readonly OutgoingMessage[]) => Promise<void>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** How many chains are asked for at a time, over all stores and apps. */
const atATime = 24;
const cannotBeOpened =
  'Stores are not asked about purchases, as how to ask was sealed with another master key: add it to MASTER_KEY_FORMER';
const cannotBeRead = 'Stores are asked later about purchases, as a newer release wrote down how to ask';
/** As long as nobody else takes a chain that is being asked for. */
const leaseMs = 60_000;

/**
 * Asks the stores about chains whose news is overdue: whose store was down, whose period ended without a word, whose
 * notification was lost. What they say goes the way of every observation, so that all ends as if nothing had been lost.
 */
export class Reconciliation {
  readonly #options: ReconciliationOptions;
  readonly #lookUpsDone;

  constructor(options: ReconciliationOptions) {
    this.#options = options;
    this.#lookUpsDone = options.metrics.counter(
      'purchase_look_ups_total',
      'Chains that a store was asked about without a client or a notification',
      ['store', 'answer'],
    );
  }

  /**
   * Asks for what is due, a portion at a time, and no more of an app at a store than its pace allows.
   * @returns how many were asked for
   * @throws what one of them failed with that is no fault of a store's, once all the others are done
   */
  async lookUpDue(): Promise<number> {
    const { apps, lookUps, clock, pace, logger } = this.#options;
    const everybody = apps.appIds().flatMap((appId) => stores.map((store) => ({ appId, store })));
    // What waited for its turn would have less than all of its time.
    const rooms = pace.room(everybody).map((room) => ({ ...room, most: Math.min(room.most, askedAtATime) }));
    const { looks, shut, unread } = await lookUps.claimDue(clock.now(), leaseMs, atATime, rooms);
    if (shut.length > 0) logger.error(await this.#putOff(shut, longestPauseMs), cannotBeOpened);
    if (unread.length > 0) logger.warn(await this.#putOff(unread, notReadPauseMs), cannotBeRead);
    for (const look of looks) pace.begin(askedOf(look));
    const done = await Promise.allSettled(looks.map((look) => this.#lookUp(look)));
    for (const one of done) if (one.status === 'rejected') throw one.reason;
    return looks.length + shut.length + unread.length;
  }

  /** Else they would take the places of those behind them, minute by minute. @returns what is to be logged of them */
  async #putOff(places: readonly ChainPlace[], pauseMs: number): Promise<object> {
    const { lookUps, clock } = this.#options;
    await Promise.all(places.map((place) => lookUps.lookAt(place, clock.now() + pauseMs)));
    return { count: places.length, appIds: [...new Set(places.map(({ appId }) => appId))] };
  }

  async #lookUp(look: ClaimedLookUp): Promise<void> {
    const { lookUps, clock } = this.#options;
    const { store } = look.subject;
    const asked = unsettledOf(look.subject);
    const awaited = asked && (await this.#options.observed.awaitedInVain(look.appId, look.subject));
    if (awaited) return lookUps.awaitUntil(look, awaited, nextLookAtUnsettled(asked, clock.now()));
    try {
      const known = await this.#ask(look);
      if (!known) await this.#end(look);
      this.#lookUpsDone.inc({ store, answer: known ? 'found' : 'nothing' });
    } catch (error) {
      if (!(error instanceof StoreFault)) throw error;
      this.#lookUpsDone.inc({ store, answer: error.kind });
      if (error.restMs !== null) this.#options.pace.rest(askedOf(look), error.restMs);
      await lookUps.unanswered(look, clock.now(), error.kind);
    }
  }

  /** As with what is given up below, what is not settled is kept. */
  async #end(look: ClaimedLookUp): Promise<void> {
    const { lookUps } = this.#options;
    await (unsettledOf(look.subject) ? lookUps.lookAt(look, null) : lookUps.end(look));
  }

  /** One that was given up is kept, so that nobody begins with it anew. */
  async #lookedAt(asked: Unsettled, place: ChainPlace, { unsettled }: Answer): Promise<void> {
    const { lookUps, clock } = this.#options;
    const isSettled = unsettled.every((other) => unsettledOf(other)?.name !== asked.name);
    if (isSettled) await lookUps.forget(place);
    else await lookUps.lookAt(place, nextLookAtUnsettled(asked, clock.now()));
  }

  /** @returns whether the store still knows the chain */
  async #ask(look: ClaimedLookUp): Promise<boolean> {
    const { appId, chainId, subject } = look;
    const { questions, observed, publish } = this.#options;
    const found = await questions.about(appId, subject, questionMs, 'look-ups');
    if (found === null) return false;
    const { answer, body, missing } = await observed.commandBody(appId, found, { claim: null, notification: null });
    const { observedAt } = answer.observation;
    const id = derivedId(`${chainId} looked up at ${observedAt}`);
    const observe = unawaitedCommand(ObservePurchase, { id, appId, key: answer.chainId, body, issuedAt: observedAt });
    await publish([observe, ...observed.replacements(appId, answer)]);
    // Behind it: else what could not be published would not be asked for again before the next period's end.
    await observed.keep(appId, answer, missing, look);
    const asked = unsettledOf(subject);
    if (asked) await this.#lookedAt(asked, { appId, chainId }, answer);
    else if (answer.chainId !== chainId || answer.isReplaced) await this.#options.lookUps.end(look);
    return true;
  }
}

const askedOf = ({ appId, subject: { store } }: LookUp): Asked => ({ appId, store });
