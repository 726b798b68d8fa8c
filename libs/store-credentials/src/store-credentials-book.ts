import { purchaseStores, type Store } from '@paywright/contracts';
import { PostgresListener } from '@paywright/event-sourcing';
import type { Clock, HealthCheck, Logger, Metrics, Sealing } from '@paywright/platform';
import type { Pool } from 'pg';
import { CredentialsShelf, sealContext, type CredentialsRow } from './credentials-shelf.ts';
import type { CredentialsSummaries, CredentialsSummary, CredentialsVerdict } from './credentials-summary.ts';
import { putCredentials } from './sql/put-credentials.sql.ts';
import { recordCheck } from './sql/record-check.sql.ts';
import { removeCredentials } from './sql/remove-credentials.sql.ts';
import { selectCredentials } from './sql/select-credentials.sql.ts';
import type { CredentialsOf } from './stored-credentials.ts';

export interface StoreCredentialsBookOptions {
  /** For `storeCredentialsSchema`. One of its connections listens, so it has two at least. */
  readonly pool: Pool;
  /** For `storeCredentialsPurpose`. */
  readonly sealing: Sealing;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

const channel = 'store_credentials';
/** The notification is the rule; the poll is for one that was lost with its connection. */
const pollMs = 2_000;

/**
 * The store credentials of all apps: sealed in the table, open in memory. What any process changes counts here within
 * 5 s, and at once where it was changed. While the database is away, what is known goes on to count.
 */
export class StoreCredentialsBook implements HealthCheck {
  readonly name = 'store credentials';
  readonly #options: StoreCredentialsBookOptions;
  readonly #shelf: CredentialsShelf;
  readonly #listener: PostgresListener;
  #poll: NodeJS.Timeout | undefined;
  #hasRead = false;
  #isAway = false;
  /** The look that runs, or ran last, and the one to come: at most one of each. */
  #look: Promise<void> = Promise.resolve();
  #nextLook: Promise<void> | null = null;

  constructor(options: StoreCredentialsBookOptions) {
    this.#options = options;
    this.#shelf = new CredentialsShelf(options.sealing, options.logger);
    const { metrics } = options;
    const help = 'Apps whose credentials for a store no master key at hand opens';
    for (const store of purchaseStores)
      metrics.reading('store_credentials_locked', help, { store }, () => this.#shelf.locked(store));
    const look = () => this.#lookSoon();
    this.#listener = new PostgresListener(options.pool, channel, { onNotification: look, onReplaced: look });
  }

  /** @throws if the credentials cannot be read now; a database that is lost later is asked again */
  async start(): Promise<void> {
    await this.#listener.start();
    await this.#lookAgain();
    this.#poll = setInterval(() => this.#lookSoon(), pollMs);
    this.#poll.unref();
  }

  /** Ends before the pool does. */
  async stop(): Promise<void> {
    clearInterval(this.#poll);
    this.#listener.stop();
    await (this.#nextLook ?? this.#look).catch(() => undefined);
  }

  ready(): boolean | string {
    return this.#hasRead || 'not read yet';
  }

  /** What opens the store for the app; null if nobody gave it, or it cannot be opened. The same object until it changes. */
  find<S extends Store>(appId: number, store: S): CredentialsOf[S] | null {
    return this.#shelf.get(appId, store)?.credentials ?? null;
  }

  /** Whether the app was given what opens the store, and no key at hand opens that: for us to mend, and not for the app. */
  isLocked(appId: number, store: Store): boolean {
    return this.#shelf.get(appId, store)?.credentials === null;
  }

  /** Of an app's three stores, what may be shown. */
  summaries(appId: number): CredentialsSummaries {
    const of = (store: Store): CredentialsSummary => {
      const held = this.#shelf.get(appId, store);
      return held ? { setAt: held.setAt, lastCheck: held.lastCheck } : null;
    };
    return { appStore: of('app_store'), playStore: of('play_store'), stripe: of('stripe') };
  }

  /** Puts them in the place of those before, if there are any. */
  async put<S extends Store>(appId: number, store: S, credentials: CredentialsOf[S]): Promise<void> {
    const { sealing, clock } = this.#options;
    const sealed = sealing.seal(JSON.stringify(credentials), sealContext(appId, store));
    await this.#write(putCredentials, [appId, store, sealed, new Date(clock.now()), channel]);
  }

  /** False: there were none. */
  remove(appId: number, store: Store): Promise<boolean> {
    return this.#write(removeCredentials, [appId, store, channel]);
  }

  /** Notes what the store said, unless other credentials have come meanwhile. */
  async recordCheck<S extends Store>(appId: number, store: S, verdict: CredentialsVerdict<S>): Promise<void> {
    const held = this.#shelf.get(appId, store);
    if (held?.credentials !== verdict.credentials) return;
    const now = new Date(this.#options.clock.now());
    await this.#write(recordCheck, [appId, store, held.seal, now, verdict.ok, verdict.message, channel]);
  }

  /** Whether rows came back; by then they are known here. */
  async #write(statement: string, values: readonly unknown[]): Promise<boolean> {
    const { rowCount } = await this.#options.pool.query(statement, [...values]);
    await this.#lookAgain();
    return rowCount !== 0;
  }

  #lookSoon(): void {
    this.#lookAgain().then(
      () => (this.#isAway = false),
      () => this.#sayAway(),
    );
  }

  #sayAway(): void {
    if (!this.#isAway) this.#options.logger.warn({}, 'Store credentials cannot be read: those known go on to count');
    this.#isAway = true;
  }

  /** Resolves after a look that began after the call: whoever calls meanwhile shares it. */
  #lookAgain(): Promise<void> {
    this.#nextLook ??= this.#look
      .catch(() => undefined)
      .then(() => {
        this.#nextLook = null;
        this.#look = this.#lookOnce();
        return this.#look;
      });
    return this.#nextLook;
  }

  async #lookOnce(): Promise<void> {
    const { rows } = await this.#options.pool.query<CredentialsRow>(selectCredentials, [this.#shelf.seals]);
    this.#shelf.replace(rows);
    this.#hasRead = true;
  }
}
