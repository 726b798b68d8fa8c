import { z } from 'zod';
import { Notification } from '../delivery/notification.ts';
import type { Purchase } from '../domain/purchase.ts';
import type { Records } from './records.ts';
import { SimulatedApp } from './simulated-app.ts';

const Settings = z.object({ offset: z.number(), purchases: z.int(), port: z.int() });
export type Settings = z.output<typeof Settings>;

/** What a change wants kept. */
export interface Changes {
  readonly purchases?: readonly Purchase[];
  readonly notifications?: readonly Notification[];
}

/** How long the App Store can be asked for notifications that it sent. */
const historyMs = 180 * 86_400_000;

/** All that the simulator knows: in memory, and in its file as soon as it changes. */
export class SimulatorState {
  readonly apps = new Map<number, SimulatedApp>();
  /** By the store's id. */
  readonly purchases = new Map<string, Purchase>();
  /** Notifications that are still to be sent, by id, oldest first. */
  readonly waiting = new Map<string, Notification>();
  readonly #records: Records;
  #settings: Settings = { offset: 0, purchases: 0, port: 0 };
  #forgottenBefore = 0;

  constructor(records: Records) {
    this.#records = records;
    for (const body of records.all('setting')) this.#settings = Settings.parse(body);
    for (const app of z.array(SimulatedApp).parse(records.all('app'))) this.apps.set(app.appId, app);
    // Written by this program in this form.
    for (const purchase of records.all('purchase') as Purchase[]) this.purchases.set(purchase.id, purchase);
    for (const open of z.array(Notification).parse(records.openNotifications())) this.waiting.set(open.id, open);
  }

  get settings(): Settings {
    return this.#settings;
  }

  set(settings: Partial<Settings>): void {
    this.#settings = { ...this.#settings, ...settings };
    this.#records.put('setting', 'settings', this.#settings);
  }

  /** A number that no purchase had before. */
  nextNumber(): number {
    this.set({ purchases: this.#settings.purchases + 1 });
    return this.#settings.purchases;
  }

  putApp(app: SimulatedApp): void {
    this.apps.set(app.appId, app);
    this.#records.put('app', String(app.appId).padStart(10, '0'), app);
  }

  put({ purchases = [], notifications = [] }: Changes): void {
    this.#records.together(() => {
      for (const purchase of purchases) {
        this.purchases.set(purchase.id, purchase);
        this.#records.put('purchase', purchase.id, purchase);
      }
      for (const notification of notifications) this.#putNotification(notification);
    });
  }

  /** What an app was sent, oldest first. */
  sent(search: Parameters<Records['findNotifications']>[0]): Notification[] {
    return z.array(Notification).parse(this.#records.findNotifications(search));
  }

  close(): void {
    this.#records.close();
  }

  #putNotification(notification: Notification): void {
    const { id, dueAt, writtenAt } = notification;
    if (dueAt === null) this.waiting.delete(id);
    else this.waiting.set(id, notification);
    this.#records.putNotification(id, { ...notification, isSettled: dueAt === null }, notification);
    if (writtenAt - this.#forgottenBefore < historyMs + 86_400_000) return;
    this.#forgottenBefore = writtenAt - historyMs;
    this.#records.forgetNotificationsBefore(this.#forgottenBefore);
  }
}
