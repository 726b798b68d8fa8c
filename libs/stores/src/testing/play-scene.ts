import { ManualClock, SystemClock } from '@paywright/platform';
import type { PlayServiceAccount } from '../play-store/play-credentials.ts';
import {
  type PlayClaim,
  type PlayLookUp,
  type PlayPurchaseKind,
  type PlayStore,
  playStore,
  type PlayStoreOptions,
} from '../play-store/play-store.ts';
import { StoreFault } from '../store-fault.ts';
import { PlayApiServer } from './play-api-server.ts';
import { playOrder, type PlayPeriod, playSubscription } from './play-purchases.ts';
import { secretsIn } from './secrets-in.ts';

const packageName = 'com.example';
export const now = Date.UTC(2026, 10, 20, 12);
export const day = 86_400_000;
export const token = 'aaaabbbbccccdddd.AO-J1Oz';
/** The period that is sold, unless a test says otherwise. */
export const period: PlayPeriod = {
  productId: 'pro.monthly',
  orderId: 'GPA.1',
  startsAt: now - day,
  endsAt: now + 29 * day,
};
export const claim: PlayClaim = { purchaseToken: token, productId: 'pro.monthly', kind: 'subscription' };

interface Sale {
  readonly line?: Parameters<typeof playSubscription>[2];
  readonly of?: Partial<PlayPeriod>;
  readonly total?: string;
  readonly order?: Parameters<typeof playOrder>[2];
}

/** Google on loopback, and the store that talks to it; for this lib's own tests. */
export class PlayScene {
  readonly google: PlayApiServer;

  private constructor(google: PlayApiServer) {
    this.google = google;
  }

  static async start(): Promise<PlayScene> {
    await import('../play-store/open-play-store.ts'); // loaded beforehand, it takes nothing of a test's short times
    return new PlayScene(await PlayApiServer.start({ packageName, wallClock: new SystemClock() }));
  }

  stop(): Promise<void> {
    return this.google.stop();
  }

  /** The store, each call of which has `timeoutMs` for all that it asks, or until a signal of the test’s. */
  store(options: Partial<PlayStoreOptions> = {}, account: Partial<PlayServiceAccount> = {}, until?: AbortSignal) {
    const { serviceAccount, url } = this.google;
    const play: PlayStore = playStore({ ...serviceAccount, ...account }, packageName, {
      baseUrl: url,
      tokenUris: [serviceAccount.token_uri ?? ''],
      wallClock: new SystemClock(),
      clock: new ManualClock(now),
      timeoutMs: 5000,
      retryDelaysMs: [5, 5],
      ...options,
    });
    const inTime = () => until ?? AbortSignal.timeout(options.timeoutMs ?? 5000);
    return {
      validate: async (claimed: PlayClaim) => (await play.validate(claimed, inTime())).observation,
      awaitsAcknowledgement: async (claimed: PlayClaim) =>
        (await play.validate(claimed, inTime())).awaitsAcknowledgement,
      observe: async (lookUp: PlayLookUp) => (await play.observe(lookUp, inTime()))?.observation ?? null,
      unreadOrders: async (lookUp: PlayLookUp) => (await play.observe(lookUp, inTime()))?.unreadOrders,
      acknowledge: (kind: PlayPurchaseKind, product: string, of: string) =>
        play.acknowledge(kind, product, of, inTime()),
      voidedPurchases: (since: number, after: string | null = null) => play.voidedPurchases({ since, after }, inTime()),
      checkCredentials: () => play.checkCredentials(inTime()),
    };
  }

  /** Sells a period: the subscription under the token, and its order. */
  sold(
    changes: Parameters<typeof playSubscription>[1] = {},
    { line = {}, of = {}, total = 'USD 9.99', order = {} }: Sale = {},
  ): void {
    const bought = { ...period, ...of };
    this.google.subscriptions.set(token, playSubscription(bought, changes, line));
    this.google.orders.set(bought.orderId, playOrder(bought, total, order));
  }

  /** What the promise is refused with; `leaks` if that shows a secret, a header or an answer. */
  async faultOf(promise: Promise<unknown>): Promise<string> {
    const error: unknown = await promise.then(
      () => null,
      (thrown: unknown) => thrown,
    );
    const { private_key: key, client_email: email } = this.google.serviceAccount;
    const secrets = [token, key.slice(30, 90), email, 'ya29', 'eyJ', 'Bearer', 'Sign in', this.google.url];
    const leaks = secretsIn(error, secrets);
    if (leaks.length > 0) return `leaks ${leaks.join(', ')}`;
    return error instanceof StoreFault ? error.kind : 'no store fault';
  }
}
