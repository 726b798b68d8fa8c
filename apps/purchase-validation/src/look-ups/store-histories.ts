import { type PurchaseEnvironment, type Store, TakeNotification } from '@paywright/contracts';
import { type OutgoingMessage, unawaitedCommand } from '@paywright/messaging';
import { type Clock, derivedId, type Logger, type Sealing } from '@paywright/platform';
import { chainIdOf, notificationCommandId } from '@paywright/purchases';
import type { PurchaseQueries } from '@paywright/read-model';
import type { StoreAccess } from '@paywright/store-credentials';
import {
  type AppStoreNotification,
  type HistoryPage,
  type NotificationHistory,
  type PlayVoidedPurchase,
  StoreFault,
  type StripeEventHistory,
  type StripeEventPage,
  type StripeNotification,
} from '@paywright/stores';
import type { Pool } from 'pg';
import type { AppSettingsBook } from '../asking/app-settings.ts';
import type { PlayChains } from '../asking/play-chains.ts';
import { questionMs } from '../asking/purchase-requests.ts';
import type { StoreGuard } from '../asking/store-guard.ts';
import { selectReadTo, upsertReadTo } from './sql/store-history.sql.ts';
import { isHeard, newestOfEach } from './unheard-events.ts';

export interface StoreHistoriesOptions {
  readonly pool: Pool;
  readonly access: Pick<StoreAccess, 'appStore' | 'playStore' | 'stripe'>;
  readonly apps: AppSettingsBook;
  readonly guard: StoreGuard;
  /** Of purchase tokens on their way. */
  readonly tokens: Sealing;
  readonly playChains: PlayChains;
  /** What is known of chains by now. */
  readonly purchases: Pick<PurchaseQueries, 'findChain'>;
  readonly publish: (messages: readonly OutgoingMessage[]) => Promise<void>;
  readonly clock: Clock;
  readonly logger: Logger;
}

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const everyMs = 60 * minuteMs;
/** Where the store did not answer, or there are no credentials for it. */
const againMs = 5 * minuteMs;
/** Read again with every turn: a store may write its history a moment late. */
const overlapMs = 30 * minuteMs;
/** Of an app met for the first time: what came before it was connected is not imported. */
const firstMs = 60 * minuteMs;
/** Read together, and told of together. */
const chainsAtOnce = 500;

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

const appStoreHistories = [
  ['app_store', 'production'],
  ['app_store_sandbox', 'sandbox'],
] as const satisfies [HistoryName, PurchaseEnvironment][];

/**
 * Reads what the stores themselves keep of their news: the App Store's history of notifications, Play's list of voided
 * purchases, and Stripe's events. What never arrived is taken in so; what did is known by its id.
 */
export class StoreHistories {
  readonly #options: StoreHistoriesOptions;
  /** By app and history, when its turn comes: the table is not asked before. */
  readonly #turns = new Map<string, number>();
  /** Of which it was said that the store refuses the app, by app and history. */
  readonly #refused = new Set<string>();

  constructor(options: StoreHistoriesOptions) {
    this.#options = options;
  }

  /** Reads on, for every app whose turn it is; one whose store does not answer is read from the same place next time. */
  async readOn(): Promise<void> {
    for (const appId of this.#options.apps.appIds()) {
      for (const [name, environment] of appStoreHistories)
        await this.#readOf(appId, name, (from, to) => this.#appStore(appId, { environment, from, to }));
      await this.#readOf(appId, 'play_store', (from) => this.#playStore(appId, from));
      await this.#readOf(appId, 'stripe', (from, to) => this.#stripe(appId, { from, to }));
    }
  }

  async #readOf(appId: number, name: HistoryName, read: (from: number, to: number) => Promise<boolean>): Promise<void> {
    const { pool, clock } = this.#options;
    const now = clock.now();
    const turn = `${appId}/${name}`;
    if (now < (this.#turns.get(turn) ?? 0)) return;
    const { rows } = await pool.query<{ read_to: string }>(selectReadTo, [appId, name]);
    const readTo = rows[0] === undefined ? null : Number(rows[0].read_to);
    const due = readTo === null ? now : readTo + everyMs;
    this.#turns.set(turn, now < due ? due : now + againMs);
    if (now < due) return;
    const from = Math.max(now - furthestMs[name], readTo === null ? now - firstMs : readTo - overlapMs);
    try {
      if (!(await read(from, now))) return;
      await pool.query(upsertReadTo, [appId, name, now]);
      this.#turns.set(turn, now + everyMs);
      this.#refused.delete(turn);
    } catch (error) {
      if (!(error instanceof StoreFault)) throw error;
      this.#readLater({ appId, name, turn, now }, error);
    }
  }

  /** Who is refused is asked no more often than who is read, and it is said once: production refuses an app before its release. */
  #readLater(
    { appId, name, turn, now }: { appId: number; name: HistoryName; turn: string; now: number },
    { kind, message }: StoreFault,
  ): void {
    const isRefused = kind === 'not-configured';
    if (isRefused) this.#turns.set(turn, now + everyMs);
    if (isRefused && this.#refused.has(turn)) return;
    if (isRefused) this.#refused.add(turn);
    this.#options.logger.info(
      { appId, history: name, fault: kind, reason: message },
      'The history of a store is read later',
    );
  }

  /** @returns false if the app has no credentials for the store */
  async #appStore(
    appId: number,
    period: { readonly environment: PurchaseEnvironment; readonly from: number; readonly to: number },
  ): Promise<boolean> {
    const bundleId = this.#options.apps.find(appId)?.bundleId;
    const store = bundleId == null ? null : this.#options.access.appStore(appId, bundleId);
    if (store === null) return false;
    for (let after: string | null = null; ;) {
      const page: HistoryPage = { ...period, after };
      const { notifications, next }: NotificationHistory = await this.#ask(appId, 'app_store', (signal) =>
        store.notificationHistory(page, signal),
      );
      await this.#options.publish(notifications.map((notification) => this.#requestOf(appId, notification)));
      if (next === null) return true;
      after = next;
    }
  }

  async #playStore(appId: number, from: number): Promise<boolean> {
    const { apps, access, playChains, publish } = this.#options;
    const packageName = apps.find(appId)?.packageName;
    const store = packageName == null ? null : access.playStore(appId, packageName);
    if (store === null) return false;
    const voided = await this.#ask(appId, 'play_store', (signal) => store.voidedPurchases(from, signal));
    const places = await Promise.all(voided.map(({ purchaseToken }) => playChains.find(appId, purchaseToken)));
    // What has no place was bought before the app was connected, or was never reported to us.
    await publish(voided.filter((_, index) => places[index] !== null).map((one) => this.#voidedRequest(appId, one)));
    return true;
  }

  async #stripe(appId: number, period: { readonly from: number; readonly to: number }): Promise<boolean> {
    const { access, purchases, publish } = this.#options;
    const store = access.stripe(appId);
    if (store === null) return false;
    const events: StripeNotification[] = [];
    for (let after: string | null = null; ;) {
      const page: StripeEventPage = { ...period, after };
      const { notifications, next }: StripeEventHistory = await this.#ask(appId, 'stripe', (signal) =>
        store.eventHistory(page, signal),
      );
      events.push(...notifications);
      if (next === null) break;
      after = next;
    }
    const newest = newestOfEach(events);
    for (let start = 0; start < newest.length; start += chainsAtOnce) {
      const some = newest.slice(start, start + chainsAtOnce);
      const heard = await Promise.all(some.map((event) => isHeard(purchases, appId, event)));
      const unheard = some.filter((_, index) => !heard[index]);
      await publish(unheard.map((event) => this.#eventRequest(appId, event)));
    }
    return true;
  }

  #ask<T>(appId: number, store: Store, question: (signal: AbortSignal) => Promise<T>): Promise<T> {
    return this.#options.guard.ask({ appId, store, asker: 'look-ups' }, questionMs, question);
  }

  #voidedRequest(appId: number, { purchaseToken, orderId, voidedAt }: PlayVoidedPurchase): OutgoingMessage {
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
        content: { store: 'play_store', subject: { sealedToken, kind: null, orderId } },
      },
    });
  }

  #eventRequest(appId: number, { notificationId, type, subject }: StripeNotification): OutgoingMessage {
    return unawaitedCommand(TakeNotification, {
      id: notificationCommandId(appId, 'stripe', notificationId),
      appId,
      key: chainIdOf(appId, 'stripe', subject?.id ?? `notification:${notificationId}`),
      issuedAt: this.#options.clock.now(),
      body: {
        notification: { notificationId, notificationType: type, subtype: null },
        content: { store: 'stripe', subject },
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
