import type { Queryable } from './database.ts';
import {
  selectErasedAt,
  selectEvents,
  selectImpressions,
  selectLastVersion,
  selectPurchaseEvents,
  selectStripeCustomers,
} from './sql/select-export.sql.ts';
import type { EventRow } from './sql/select-timeline.sql.ts';

/** An event as it was published, whole. `version` counts in `stream`: the profile, or a chain of purchases. */
export interface ExportedEvent {
  readonly id: string;
  readonly type: string;
  /** Milliseconds since the epoch, as all times here. */
  readonly time: number;
  readonly service: string;
  readonly stream: string;
  readonly version: number;
  readonly data: unknown;
}

/** The first showing of a paywall. */
export interface ExportedImpression {
  readonly paywallId: number;
  readonly placementId: string | null;
  readonly decisionId: string | null;
  readonly firstShownAt: number;
}

interface ImpressionRow {
  paywall_id: number;
  placement_id: string | null;
  decision_id: string | null;
  first_shown_at: Date;
}

/** Services whose streams are profiles. */
const services = ['impression', 'profile', 'selection'] as const;

/** An event may hold a batch of 500: so many of them are still a few megabytes. */
const pageSize = 100;

/** All that is kept of a profile, read as it is asked for: no more than a page of it is in memory. */
export class ExportQueries {
  readonly #database: Queryable;

  constructor(database: Queryable) {
    this.#database = database;
  }

  /** The profile's events, and those of its purchases: by service and stream, each stream in its order. */
  async *events(appId: number, profileId: string): AsyncGenerator<ExportedEvent> {
    const erasedAt = await this.#erasedAt(profileId);
    for (const service of services)
      for await (const event of this.#eventsOf(appId, profileId, service)) if (event.time > erasedAt) yield event;
    yield* this.#purchaseEvents(appId, profileId);
  }

  async impressions(appId: number, profileId: string): Promise<readonly ExportedImpression[]> {
    const { rows } = await this.#database.query<ImpressionRow>(selectImpressions, [profileId, appId]);
    return rows.map((row) => ({
      paywallId: row.paywall_id,
      placementId: row.placement_id,
      decisionId: row.decision_id,
      firstShownAt: row.first_shown_at.getTime(),
    }));
  }

  /** The ids that Stripe has the person under, as far as a purchase named the profile. */
  async stripeCustomerIds(appId: number, profileId: string): Promise<readonly string[]> {
    const { rows } = await this.#database.query<{ customer_id: string }>(selectStripeCustomers, [profileId, appId]);
    return rows.map(({ customer_id: id }) => id);
  }

  async #erasedAt(profileId: string): Promise<number> {
    const { rows } = await this.#database.query<{ erased_at: Date | null }>(selectErasedAt, [profileId]);
    return rows[0]?.erased_at?.getTime() ?? Number.NEGATIVE_INFINITY;
  }

  async *#eventsOf(appId: number, profileId: string, service: string): AsyncGenerator<ExportedEvent> {
    const last = await this.#lastVersion(appId, profileId, service);
    for (let behind = 0; behind < last; behind += pageSize) {
      const values = [profileId, appId, service, behind, pageSize];
      const { rows } = await this.#database.query<EventRow>({ name: 'export-events', text: selectEvents, values });
      for (const row of rows) yield toExportedEvent(row);
    }
  }

  /** 0 without events. */
  async #lastVersion(appId: number, profileId: string, service: string): Promise<number> {
    const { rows } = await this.#database.query<{ version: number }>(selectLastVersion, [profileId, appId, service]);
    return rows[0]?.version ?? 0;
  }

  async *#purchaseEvents(appId: number, profileId: string): AsyncGenerator<ExportedEvent> {
    for (let chain = nil, version = 0; ;) {
      const values = [profileId, appId, chain, version, pageSize];
      const { rows } = await this.#database.query<EventRow>(selectPurchaseEvents, values);
      for (const row of rows) yield toExportedEvent(row);
      const last = rows.at(-1);
      if (last === undefined || rows.length < pageSize) return;
      ({ stream: chain, version } = last);
    }
  }
}

/** Before every UUID. */
const nil = '00000000-0000-0000-0000-000000000000';

const toExportedEvent = ({ time, data, ...row }: EventRow): ExportedEvent => ({
  ...row,
  time: time.getTime(),
  data: JSON.parse(data),
});
