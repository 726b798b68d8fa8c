import { gathering } from '@paywright/event-sourcing';
import type { Clock } from '@paywright/platform';
import { stripeHistoryTypes } from '@paywright/stores';
import type { Pool } from 'pg';
import { deleteHeardEvents, insertHeardEvents, selectHeardEvents } from './sql/heard-event.sql.ts';

interface HeardEvent {
  readonly appId: number;
  readonly eventId: string;
}

const mostAtOnce = 500;
/** What is forgotten by one statement: all of a day would take longer than one may, and so for ever. */
const forgottenAtOnce = 10_000;
/** Histories are read every hour: only after days without that is news seen to again that was heard. */
const keptMs = 3 * 86_400_000;
const inHistory: ReadonlySet<string> = new Set(stripeHistoryTypes);
/** Whether Stripe's history is read for events of the type. */
export const isInStripeHistory = (type: string): boolean => inHistory.has(type);

/** Which news of the App Store and of Stripe is seen to, whether it was sent to us or is of their histories. */
export class HeardEvents {
  readonly #pool: Pool;
  readonly #clock: Clock;
  /** Written together, as many as have come. */
  readonly #write: (event: HeardEvent) => Promise<void>;

  /** @param pool of the schema `purchase_validation` */
  constructor(pool: Pool, clock: Clock) {
    this.#pool = pool;
    this.#clock = clock;
    this.#write = gathering((events) => this.#writeAll(events), mostAtOnce);
  }

  async note(appId: number, eventId: string): Promise<void> {
    await this.#write({ appId, eventId });
  }

  async among(appId: number, eventIds: readonly string[]): Promise<ReadonlySet<string>> {
    const { rows } = await this.#pool.query<{ event_id: string }>({
      name: 'select-heard-events',
      text: selectHeardEvents,
      values: [appId, eventIds],
    });
    return new Set(rows.map((row) => row.event_id));
  }

  /** Of the news what is not seen to, in its order. */
  async unheard<News extends { readonly notificationId: string }>(
    appId: number,
    news: readonly News[],
  ): Promise<readonly News[]> {
    const ids = news.map(({ notificationId }) => notificationId);
    const known = await this.among(appId, ids);
    return news.filter(({ notificationId }) => !known.has(notificationId));
  }

  /** Forgets of what is of no use any more as much as one statement may. @returns whether there may be more */
  async forget(): Promise<boolean> {
    const values = [this.#clock.now() - keptMs, forgottenAtOnce];
    const { rowCount } = await this.#pool.query({ name: 'delete-heard-events', text: deleteHeardEvents, values });
    return rowCount === forgottenAtOnce;
  }

  async #writeAll(events: readonly HeardEvent[]): Promise<void[]> {
    const values = [events.map(({ appId }) => appId), events.map(({ eventId }) => eventId), this.#clock.now()];
    await this.#pool.query({ name: 'insert-heard-events', text: insertHeardEvents, values });
    return events.map(() => undefined);
  }
}
