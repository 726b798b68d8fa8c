import { randomUUID } from 'node:crypto';
import { SystemClock } from '@paywright/platform';
import { PlayApiServer, playOrder, playPushBody, PlayPushIssuer, playSubscription } from '@paywright/stores/testing';
import type { Buyer, Post, Seller, Sold } from './buying.ts';

const day = 86_400_000;
const packageName = 'com.example';
const push = { pushAudience: 'faults', pushServiceAccountEmail: 'push@faults.example' };
/** Google's numbers of what a notification tells. */
const told = { renewed: 2, purchased: 4 } as const;

/** A Google Play that sells a subscription, and pushes what becomes of it. */
export class SellingPlayStore implements Seller {
  readonly api: PlayApiServer;
  readonly #issuer: PlayPushIssuer;
  #lastId = 1_000_000;

  private constructor(api: PlayApiServer, issuer: PlayPushIssuer) {
    this.api = api;
    this.#issuer = issuer;
  }

  static async start(): Promise<SellingPlayStore> {
    const starting = PlayApiServer.start({ packageName, wallClock: new SystemClock() });
    const [api, issuer] = await Promise.all([starting, PlayPushIssuer.start()]);
    return new SellingPlayStore(api, issuer);
  }

  /** What the services are told of it. */
  get environment(): NodeJS.ProcessEnv {
    const { url } = this.api;
    return { PLAY_API_BASE: url, GOOGLE_TOKEN_URIS: `${url}/token`, GOOGLE_OIDC_JWKS_URL: this.#issuer.keysUrl };
  }

  get credentials(): object {
    return { serviceAccount: this.api.serviceAccount, ...push };
  }

  /** Two months: the client validates the first while Google tells of it. Of both it tells twice. */
  subscribe({ profileId, appId, clients }: Buyer): Sold {
    const orderId = `GPA.${++this.#lastId}`;
    const renewalId = `${orderId}..0`;
    const purchaseToken = `token-${orderId}`;
    const claim = JSON.stringify({ profileId, purchaseToken, productId: 'pro.monthly', isSubscription: true });
    const validate = { path: '/api/v1/web-api/purchases/play-store/validate', body: claim, headers: clients };
    const tell = async (notificationType: number): Promise<readonly Post[]> => {
      const sent = { messageId: randomUUID(), publishedAt: Date.now() };
      const body = playPushBody(packageName, { subscriptionNotification: { notificationType, purchaseToken } }, sent);
      const { pushAudience: audience, pushServiceAccountEmail: email } = push;
      const authorization = `Bearer ${await this.#issuer.token({ audience, email, now: Date.now() })}`;
      const post = {
        path: `/notifications/${appId}/play-store`,
        body: JSON.stringify(body),
        headers: { authorization },
      };
      return [post, post];
    };
    return {
      transactionIds: [orderId, renewalId],
      rounds: [
        async () => {
          this.#paid(purchaseToken, orderId, 0);
          return [validate, ...(await tell(told.purchased))];
        },
        async () => {
          this.#paid(purchaseToken, renewalId, 1);
          return tell(told.renewed);
        },
      ],
    };
  }

  async stop(): Promise<void> {
    await Promise.all([this.api.stop(), this.#issuer.stop()]);
  }

  /** The first month began ten days ago. */
  #paid(purchaseToken: string, orderId: string, month: number): void {
    const boughtAt = Date.now() - 10 * day;
    const startsAt = boughtAt + month * 30 * day;
    const period = { productId: 'pro.monthly', orderId, startsAt, endsAt: startsAt + 30 * day };
    this.api.orders.set(orderId, playOrder(period, 'USD 9.99'));
    const startTime = new Date(boughtAt).toISOString();
    this.api.subscriptions.set(purchaseToken, playSubscription(period, { startTime }));
  }
}
