import { addDuration, type Clock } from '@paywright/platform';
import type { StoreName } from '../domain/purchase.ts';
import type { Fault, Faults, NotificationFaultKind } from '../http/faults.ts';
import { shortened, type Journal } from '../http/journal.ts';
import type { SimulatedApp } from '../state/simulated-app.ts';
import type { SimulatorState } from '../state/simulator-state.ts';
import type { Notification } from './notification.ts';
import { postNotification } from './post-notification.ts';
import type { Questions } from './questions.ts';
import { retryAfter } from './retry-schedule.ts';
import { Turns } from './turns.ts';

/** What a store sends along with the body. @param now of the simulated clock */
export type Headers = (notification: Notification, app: SimulatedApp, now: number) => Promise<Record<string, string>>;

export interface DeliveryOptions {
  readonly state: SimulatorState;
  readonly clock: Clock;
  readonly faults: Faults;
  readonly journal: Journal;
  readonly questions: Questions;
  readonly headers: Readonly<Record<StoreName, Headers>>;
}

const atOnce = 64;
/** Where nothing comes after a notification that is to come late, it is sent nevertheless. */
const heldForMs = 3_600_000;

/** Sends notifications to the gateways of their apps, and sends again what did not arrive, as the stores do. */
export class Delivery {
  readonly #options: DeliveryOptions;
  readonly #turns = new Turns(atOnce);
  readonly #ending = new AbortController();
  /** What is being sent just now, by id. */
  readonly #underWay = new Map<string, Promise<void>>();
  /** By store: what waits until something else of that store was sent. */
  readonly #held = new Map<StoreName, Notification[]>();

  constructor(options: DeliveryOptions) {
    this.#options = options;
  }

  /**
   * Resolves when each was sent once: it has arrived, or waits for its next try. Those of a purchase keep their order.
   * @param mostMs how long one waits until it was asked about, at most
   */
  async deliver(notifications: readonly Notification[], mostMs = Infinity): Promise<void> {
    const sendable = notifications.filter(({ dueAt }) => dueAt !== null);
    await Promise.all(sendable.map((each) => this.#underWay.get(each.id) ?? this.#begin(each, mostMs)));
  }

  /** What is under way is given up, and sent when the simulator is started again. */
  stop(): void {
    this.#ending.abort();
    this.#options.questions.stop();
  }

  #begin(notification: Notification, mostMs: number): Promise<void> {
    const delivery = this.#turns
      .run(notification.purchaseId, () => this.#deliverOne(notification, mostMs))
      .finally(() => this.#underWay.delete(notification.id));
    this.#underWay.set(notification.id, delivery);
    return delivery;
  }

  async #deliverOne(notification: Notification, mostMs: number): Promise<void> {
    const { state, faults } = this.#options;
    const isFirst = notification.attempts.length === 0 && notification.dueAt === notification.writtenAt;
    const fault = isFirst ? faults.takeForNotification(notification.store) : null;
    if (fault && this.#isKeptBack(notification, fault)) return;
    const held = this.#held.get(notification.store) ?? [];
    this.#held.set(notification.store, []);
    if (fault?.kind === 'notification-double') await this.#send(notification, 'notification-double');
    await this.#try(notification, mostMs);
    for (const late of held)
      if (late.id !== notification.id && state.waiting.has(late.id)) await this.#try(late, mostMs);
  }

  /** Whether the fault keeps the notification from being sent now. */
  #isKeptBack(notification: Notification, { kind, by }: Fault & { kind: NotificationFaultKind }): boolean {
    const now = this.#options.clock.now();
    if (kind === 'notification-double') return false;
    const until = {
      'notification-drop': null,
      'notification-delay': addDuration(now, by),
      'notification-reorder': now + heldForMs,
    };
    const kept = { ...notification, dueAt: until[kind] };
    this.#options.state.put({ notifications: [kept] });
    this.#write(notification, null, kind);
    if (kind === 'notification-reorder')
      this.#held.set(notification.store, [...(this.#held.get(notification.store) ?? []), kept]);
    return true;
  }

  async #try(notification: Notification, mostMs: number): Promise<void> {
    const { state, clock, questions } = this.#options;
    const since = performance.now();
    const status = await this.#send(notification, null);
    if (status === null && this.#ending.signal.aborted) return;
    const now = clock.now();
    const attempts = [...notification.attempts, { at: now, status }];
    const isThere = status !== null && status >= 200 && status < 300;
    const wait = isThere ? null : retryAfter(notification, attempts.length, now - notification.writtenAt);
    state.put({ notifications: [{ ...notification, attempts, dueAt: wait === null ? null : now + wait }] });
    // Apple's notifications say all themselves.
    if (isThere && notification.store !== 'app-store') await questions.untilAsked(notification, since, mostMs);
  }

  /** @returns the status of the answer; null if there was none */
  async #send(notification: Notification, note: string | null): Promise<number | null> {
    const { state, clock, headers } = this.#options;
    const app = state.apps.get(notification.appId);
    if (app === undefined || app.gateway === null) return null;
    const signed = () => headers[notification.store](notification, app, clock.now());
    const status = await postNotification(notification, app.gateway, signed, this.#ending.signal);
    this.#write(notification, status, note);
    return status;
  }

  #write(notification: Notification, status: number | null, note: string | null): void {
    const { store, appId, id, label, purchaseId, attempts } = notification;
    const details = { store, appId, id, label, purchase: shortened(purchaseId), attempt: attempts.length + 1 };
    this.#options.journal.add('notification', { ...details, status, note });
  }
}
