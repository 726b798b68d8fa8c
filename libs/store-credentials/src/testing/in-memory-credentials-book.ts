import type { Store } from '@paywright/contracts';
import type { Clock } from '@paywright/platform';
import type {
  CredentialsSummaries,
  CredentialsSummary,
  CredentialsVerdict,
  LastCheck,
} from '../credentials-summary.ts';
import type { StoreCredentialsBook } from '../store-credentials-book.ts';
import { credentialsSchemas, type CredentialsOf } from '../stored-credentials.ts';

/** What is done with credentials: all but the book's own life. */
export type CredentialsKeeping = Pick<
  StoreCredentialsBook,
  'find' | 'isLocked' | 'summaries' | 'put' | 'remove' | 'recordCheck'
>;

interface Entry<S extends Store> {
  readonly setAt: number;
  readonly lastCheck: LastCheck | null;
  /** Null: they are locked. */
  readonly credentials: CredentialsOf[S] | null;
}

type Entries = { readonly [S in Store]: Map<number, Entry<S>> };

/** The book of a process that is alone and keeps nothing. */
export class InMemoryCredentialsBook implements CredentialsKeeping {
  readonly #clock: Clock;
  readonly #entries: Entries = { app_store: new Map(), play_store: new Map(), stripe: new Map() };

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  find<S extends Store>(appId: number, store: S): CredentialsOf[S] | null {
    return this.#of(store).get(appId)?.credentials ?? null;
  }

  isLocked(appId: number, store: Store): boolean {
    return this.#of(store).get(appId)?.credentials === null;
  }

  /** As if they were sealed with a key that is not at hand. */
  lock(appId: number, store: Store): void {
    const entry = this.#of(store).get(appId);
    if (entry !== undefined) this.#of(store).set(appId, { ...entry, credentials: null });
  }

  summaries(appId: number): CredentialsSummaries {
    const of = (store: Store): CredentialsSummary => {
      const entry = this.#of(store).get(appId);
      return entry ? { setAt: entry.setAt, lastCheck: entry.lastCheck } : null;
    };
    return { appStore: of('app_store'), playStore: of('play_store'), stripe: of('stripe') };
  }

  async put<S extends Store>(appId: number, store: S, credentials: CredentialsOf[S]): Promise<void> {
    const kept = credentialsSchemas[store].parse(JSON.parse(JSON.stringify(credentials)));
    this.#of(store).set(appId, { setAt: this.#clock.now(), lastCheck: null, credentials: kept });
  }

  async remove(appId: number, store: Store): Promise<boolean> {
    return this.#of(store).delete(appId);
  }

  async recordCheck<S extends Store>(appId: number, store: S, verdict: CredentialsVerdict<S>): Promise<void> {
    const entry = this.#of(store).get(appId);
    if (entry?.credentials !== verdict.credentials) return;
    const { ok, message } = verdict;
    this.#of(store).set(appId, { ...entry, lastCheck: { time: this.#clock.now(), ok, message } });
  }

  #of<S extends Store>(store: S): Map<number, Entry<S>> {
    return this.#entries[store];
  }
}
