import type { Store } from '@paywright/contracts';
import type { Clock } from '@paywright/platform';
import {
  AppStore,
  playStore,
  stripeStore,
  type PlayStore,
  type StoreSettings,
  type StripeStore,
} from '@paywright/stores';
import type { StoreCredentialsBook } from './store-credentials-book.ts';
import type { CredentialsOf } from './stored-credentials.ts';

export interface StoreAccessOptions {
  readonly book: Pick<StoreCredentialsBook, 'find' | 'isLocked'>;
  readonly settings: StoreSettings;
  /** The service's clock: it judges signatures and stamps what is observed. */
  readonly clock: Clock;
  /** The machine's own, which Google stamps its tokens by. */
  readonly wallClock: Clock;
}

/** A client, and what it was made of. */
interface Kept<S extends Store, Client> {
  readonly credentials: CredentialsOf[S];
  /** The app's name at the store, where its clients have one. */
  readonly name: string | null;
  readonly client: Client;
}

/**
 * The stores' clients of each app. One is kept until its credentials or the app's name at the store change, because it
 * holds what was hard to get: access tokens, connections, certificates found good. None needs to be closed.
 */
export class StoreAccess {
  readonly #options: StoreAccessOptions;
  readonly #appStores = new Map<number, Kept<'app_store', AppStore>>();
  readonly #playStores = new Map<number, Kept<'play_store', PlayStore>>();
  readonly #stripes = new Map<number, Kept<'stripe', StripeStore>>();

  constructor(options: StoreAccessOptions) {
    this.#options = options;
  }

  /** Null: the app has no credentials for the App Store. */
  appStore(appId: number, bundleId: string): AppStore | null {
    const { settings, clock } = this.#options;
    return this.#client(this.#appStores, 'app_store', appId, bundleId, (credentials) => {
      return new AppStore({ ...credentials, bundleId }, settings.appStore, clock);
    });
  }

  /** Null: the app has no credentials for Google Play. */
  playStore(appId: number, packageName: string): PlayStore | null {
    const { settings, clock, wallClock } = this.#options;
    return this.#client(this.#playStores, 'play_store', appId, packageName, ({ serviceAccount }) => {
      return playStore(serviceAccount, packageName, { ...settings.playStore, clock, wallClock });
    });
  }

  /** Null: the app has no credentials for Stripe. */
  stripe(appId: number): StripeStore | null {
    const { settings, clock } = this.#options;
    return this.#client(this.#stripes, 'stripe', appId, null, ({ apiKey }) => {
      return stripeStore(apiKey, { ...settings.stripe, clock });
    });
  }

  /** Whether the app has credentials for the store that cannot be opened. */
  isLocked(appId: number, store: Store): boolean {
    return this.#options.book.isLocked(appId, store);
  }

  #client<S extends Store, Client>(
    kept: Map<number, Kept<S, Client>>,
    store: S,
    appId: number,
    name: string | null,
    make: (credentials: CredentialsOf[S]) => Client,
  ): Client | null {
    const credentials = this.#options.book.find(appId, store);
    if (credentials === null) {
      kept.delete(appId);
      return null;
    }
    const known = kept.get(appId);
    if (known?.credentials === credentials && known.name === name) return known.client;
    const client = make(credentials);
    kept.set(appId, { credentials, name, client });
    return client;
  }
}
