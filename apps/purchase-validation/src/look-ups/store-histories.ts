import { type PurchaseEnvironment, type Store, TakeNotification } from '@paywright/contracts';
import { type OutgoingMessage, unawaitedCommand } from '@paywright/messaging';
import { type Clock, derivedId, type Logger, type Sealing } from '@paywright/platform';
import { chainIdOf, notificationCommandId } from '@paywright/purchases';
import type { StoreAccess } from '@paywright/store-credentials';
import { type AppStoreNotification, type PlayVoidedPurchase, StoreFault } from '@paywright/stores';
import type { Pool } from 'pg';
import type { AppSettingsBook } from '../asking/app-settings.ts';
import type { PlayChains } from '../asking/play-chains.ts';
import { questionMs } from '../asking/purchase-requests.ts';
import type { StoreGuard } from '../asking/store-guard.ts';
import type { HeardEvents } from './heard-events.ts';
import type { LookUpBook } from './look-up-book.ts';
import { pagesOf } from './pages-of.ts';
import { claimHistory, updateClaimedUntil, updateReadTo } from './sql/store-history.sql.ts';
import { type Period, stepByStep, type StepLength, unknownStepLength } from './step-by-step.ts';
import { StripeEvents } from './stripe-events.ts';

export interface StoreHistoriesOptions {
  readonly pool: Pool;
  readonly access: Pick<StoreAccess, 'appStore' | 'playStore' | 'stripe'>;
  readonly apps: AppSettingsBook;
  readonly guard: StoreGuard;
  /** Of purchase tokens on their way. */
  readonly tokens: Sealing;
  readonly playChains: PlayChains;
  readonly lookUps: Pick<LookUpBook, 'lookNow'>;
  readonly heard: Pick<HeardEvents, 'unheard' | 'note'>;
  readonly publish: (messages: readonly OutgoingMessage[]) => Promise<void>;
  readonly clock: Clock;
  readonly logger: Logger;
}

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
/** An app that is met for the first time counts as read until then: what came before it was connected is not imported. */
const everyMs = 60 * minuteMs;
/** Where the store did not answer, there are no credentials for it, or another instance reads. */
const againMs = 5 * minuteMs;
/** As long as no other instance reads the same. */
const leaseMs = 15 * minuteMs;
/** A thousand notifications of the App Store. */
const pagesAStep = 50;
/** Read again with every turn: a store may write its history a moment late. */
const overlapMs = 30 * minuteMs;

/**
 * How far back each is told of, less a day. Under these names it is kept how far it is read: each environment of the App
 * Store for itself, so that none waits for the other.
 */
const furthestMs = {
  app_store: 179 * dayMs,
  app_store_sandbox: 29 * dayMs,
  play_store: 29 * dayMs,
  stripe: 29 * dayMs,
};
type HistoryName = keyof typeof furthestMs;
const historyNames = Object.keys(furthestMs) as HistoryName[];

/** One history of an app. */
interface History {
  readonly appId: number;
  readonly name: HistoryName;
}

/**
 * Reads a history of which all is seen to until `from`.
 * @param reached told how far all is seen to by now, where that is known before the end
 * @returns whether there is more to read than one turn takes
 */
type Read = (period: Period, reached: (until: number) => Promise<void>) => Promise<boolean>;

/**
 * Reads what the stores themselves keep of their news: the App Store's history of notifications, Play's list of voided
 * purchases, and Stripe's events. What never arrived is taken in so; what did is known by its id.
 */
export class StoreHistories {
  readonly #options: StoreHistoriesOptions;
  readonly #stripeEvents: StripeEvents;
  /** By app and history, when its turn comes: the table is not asked before. */
  readonly #turns = new Map<string, number>();
  /** By app and history. */
  readonly #stepLengths = new Map<string, StepLength>();
  /** Of which it was said that the store refuses the app, by app and history. */
  readonly #refused = new Set<string>();

  constructor(options: StoreHistoriesOptions) {
    this.#options = options;
    this.#stripeEvents = new StripeEvents(options);
  }

  /**
   * Reads on, for every app whose turn it is; one whose store does not answer is read from the same place next time.
   * @param stopping the rest is left to others once it is aborted
   * @returns whether there is more to read at once
   */
  async readOn(stopping: AbortSignal = new AbortController().signal): Promise<boolean> {
    let isMore = false;
    for (const appId of this.#options.apps.appIds())
      for (const name of historyNames)
        if (!stopping.aborted && (await this.#takeTurn({ appId, name }, stopping))) isMore = true;
    return isMore;
  }

  async #takeTurn(history: History, stopping: AbortSignal): Promise<boolean> {
    const now = this.#options.clock.now();
    const turn = turnOf(history);
    if (now < (this.#turns.get(turn) ?? 0)) return false;
    this.#turns.set(turn, now + againMs);
    const read = this.#readerOf(history, stopping);
    const readTo = read && (await this.#claim(history, now));
    if (read === null || readTo === null) return false;
    const from = Math.max(now - furthestMs[history.name], readTo - overlapMs);
    try {
      // What is older than the overlap was written long ago: it is not read again, or a turn that gets less far would end
      // where it began, and so would each one behind it.
      const isMore = await read({ from, to: now }, (until) => this.#reached(history, Math.min(until + overlapMs, now)));
      if (!isMore) await this.#reached(history, now);
      await this.#release(history, isMore ? now : now + everyMs);
      this.#refused.delete(turn);
      return isMore;
    } catch (error) {
      if (!(error instanceof StoreFault)) throw error;
      await this.#readLater(history, now, error);
      return false;
    }
  }

  /** @returns how far it is read; null if it is not due, or another instance reads it */
  async #claim({ appId, name }: History, now: number): Promise<number | null> {
    const { rows } = await this.#options.pool.query<{ read_to: string }>(claimHistory, [
      ...[appId, name, now - everyMs],
      ...[now, now + leaseMs, this.#moved()],
    ]);
    return rows[0] === undefined ? null : Number(rows[0].read_to);
  }

  async #reached({ appId, name }: History, until: number): Promise<void> {
    await this.#options.pool.query(updateReadTo, [appId, name, until, this.#moved()]);
  }

  /** By how much a simulation has moved time. */
  #moved(): number {
    const { clock } = this.#options;
    return clock.now() - clock.machineNow();
  }

  /** @param next when it is looked at again */
  async #release(history: History, next: number): Promise<void> {
    await this.#options.pool.query(updateClaimedUntil, [history.appId, history.name, next]);
    this.#turns.set(turnOf(history), next);
  }

  /** Who is refused is asked no more often than who is read, and it is said once: production refuses an app before its release. */
  async #readLater(history: History, now: number, { kind, message }: StoreFault): Promise<void> {
    const isRefused = kind === 'not-configured';
    const next = now + (isRefused ? everyMs : againMs);
    await this.#release(history, next);
    const turn = turnOf(history);
    if (isRefused && this.#refused.has(turn)) return;
    if (isRefused) this.#refused.add(turn);
    const { appId, name } = history;
    this.#options.logger.info(
      { appId, history: name, fault: kind, reason: message },
      'The history of a store is read later',
    );
  }

  /** @returns null if the app has no credentials for the store */
  #readerOf({ appId, name }: History, stopping: AbortSignal): Read | null {
    switch (name) {
      case 'app_store':
        return this.#appStore({ appId, name }, 'production', stopping);
      case 'app_store_sandbox':
        return this.#appStore({ appId, name }, 'sandbox', stopping);
      case 'play_store':
        return this.#playStore(appId, stopping);
      case 'stripe':
        return this.#stripe({ appId, name }, stopping);
    }
  }

  #appStore(history: History, environment: PurchaseEnvironment, stopping: AbortSignal): Read | null {
    const { appId } = history;
    const bundleId = this.#options.apps.find(appId)?.bundleId;
    const store = bundleId == null ? null : this.#options.access.appStore(appId, bundleId);
    if (store === null) return null;
    return (period, reached) =>
      stepByStep(period, {
        ...{ stepLength: this.#stepLengthOf(history), pagesAStep, stopping, reached },
        read: (wanted) =>
          this.#ask(appId, 'app_store', (signal) => store.notificationHistory({ ...wanted, environment }, signal)),
        seeTo: (notifications) => this.#takeIn(appId, notifications),
      });
  }

  /** What is seen to is not taken in again: all its events would be published once more. */
  async #takeIn(appId: number, notifications: readonly AppStoreNotification[]): Promise<void> {
    const { heard, publish } = this.#options;
    const unheard = await heard.unheard(appId, notifications);
    await publish(unheard.map((notification) => this.#requestOf(appId, notification)));
  }

  #playStore(appId: number, stopping: AbortSignal): Read | null {
    const { apps, access } = this.#options;
    const packageName = apps.find(appId)?.packageName;
    const store = packageName == null ? null : access.playStore(appId, packageName);
    if (store === null) return null;
    return async ({ from: since }) => {
      const pages = pagesOf((after) =>
        this.#ask(appId, 'play_store', (signal) => store.voidedPurchases({ since, after }, signal)),
      );
      for await (const { voided, next } of pages) {
        await this.#askAbout(appId, voided);
        if (stopping.aborted) return next !== null;
      }
      return false;
    };
  }

  /** What has no place was bought before the app was connected, or was never reported to us. */
  async #askAbout(appId: number, voided: readonly PlayVoidedPurchase[]): Promise<void> {
    const { playChains, publish } = this.#options;
    const places = await Promise.all(voided.map(({ purchaseToken }) => playChains.find(appId, purchaseToken)));
    await publish(voided.filter((_, index) => places[index] !== null).map((one) => this.#voidedRequest(appId, one)));
  }

  #stripe(history: History, stopping: AbortSignal): Read | null {
    const { appId } = history;
    const store = this.#options.access.stripe(appId);
    if (store === null) return null;
    const ask = <T>(question: (signal: AbortSignal) => Promise<T>) => this.#ask(appId, 'stripe', question);
    const stepLength = this.#stepLengthOf(history);
    return (period, reached) => this.#stripeEvents.read({ appId, store, ask, stepLength, stopping }, period, reached);
  }

  #stepLengthOf(history: History): StepLength {
    const known = this.#stepLengths.get(turnOf(history)) ?? unknownStepLength();
    this.#stepLengths.set(turnOf(history), known);
    return known;
  }

  #ask<T>(appId: number, store: Store, question: (signal: AbortSignal) => Promise<T>): Promise<T> {
    return this.#options.guard.ask({ appId, store, asker: 'look-ups' }, questionMs, question);
  }

  #voidedRequest(appId: number, { purchaseToken, orderId, voidedAt, voids }: PlayVoidedPurchase): OutgoingMessage {
    const { clock, tokens } = this.#options;
    const notificationId = derivedId(`voided ${purchaseToken} ${orderId} ${voidedAt}`);
    const sealedToken = tokens.seal(purchaseToken, String(appId));
    return unawaitedCommand(TakeNotification, {
      id: notificationCommandId(appId, 'play_store', notificationId),
      appId,
      key: chainIdOf(appId, 'play_store', purchaseToken),
      issuedAt: clock.now(),
      body: {
        notification: { notificationId, notificationType: 'VOIDED_PURCHASE', subtype: null },
        content: { store: 'play_store', subject: { sealedToken, kind: null, orderId, voids } },
      },
    });
  }

  #requestOf(appId: number, { notificationId, type, subtype, observation }: AppStoreNotification): OutgoingMessage {
    return unawaitedCommand(TakeNotification, {
      id: notificationCommandId(appId, 'app_store', notificationId),
      appId,
      key: chainIdOf(appId, 'app_store', observation?.originalId ?? `notification:${notificationId}`),
      issuedAt: this.#options.clock.now(),
      body: {
        notification: { notificationId, notificationType: type, subtype },
        content: { store: 'app_store', observation },
      },
    });
  }
}

const turnOf = ({ appId, name }: History): string => `${appId}/${name}`;
