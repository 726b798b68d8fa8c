import { createPublicKey, generateKeyPairSync, randomUUID } from 'node:crypto';
import type { androidpublisher_v3 } from '@googleapis/androidpublisher';
import type { Clock } from '@paywright/platform';
import type { PlayServiceAccount } from '../play-store/play-credentials.ts';
import { type LoopbackAnswer, type LoopbackRequest, LoopbackServer } from './loopback-server.ts';
import { refusePlayAssertion } from './play-assertion.ts';
import { StoreApiServer } from './store-api-server.ts';

type Subscription = androidpublisher_v3.Schema$SubscriptionPurchaseV2;
type Product = androidpublisher_v3.Schema$ProductPurchaseV2;
type Order = androidpublisher_v3.Schema$Order;

export interface PlayApiServerOptions {
  readonly packageName: string;
  /** Stamps and judges access tokens, as Google does: by the clock on the wall. */
  readonly wallClock: Clock;
}

const tokenLifeSeconds = 3600;
const answer = (status: number, body: object = {}): LoopbackAnswer => ({ status, body });
const missing = (status: number, message: string) => answer(status, { error: { code: status, message } });

/**
 * Google Play's developer API for one package on loopback, as far as it is used, with the token endpoint before it:
 * without a token that it gave out for a rightly signed assertion there is no answer.
 */
export class PlayApiServer extends StoreApiServer {
  /** By purchase token. */
  readonly subscriptions = new Map<string, Subscription>();
  /** By purchase token. */
  readonly products = new Map<string, Product>();
  /** By order id. */
  readonly orders = new Map<string, Order>();
  /** Tokens that are answered with 410. */
  readonly forgotten = new Set<string>();
  readonly voided: androidpublisher_v3.Schema$VoidedPurchase[] = [];
  readonly acknowledged: string[] = [];
  readonly serviceAccount: PlayServiceAccount;
  /** How many voided purchases there are to a page. */
  pageSize = 1000;
  /** How often an assertion was exchanged for a token. */
  exchanges = 0;
  readonly #options: PlayApiServerOptions;
  readonly #tokens = new Map<string, number>();

  private constructor(http: LoopbackServer, options: PlayApiServerOptions) {
    super(http);
    this.#options = options;
    this.serviceAccount = serviceAccount(`${http.url}/token`);
  }

  static async start(options: PlayApiServerOptions): Promise<PlayApiServer> {
    const http = await LoopbackServer.start((request) => server.#answer(request));
    const server = new PlayApiServer(http, options);
    return server;
  }

  /** Forgets every access token, as if it had been revoked. */
  revokeTokens(): void {
    this.#tokens.clear();
  }

  #answer(request: LoopbackRequest): LoopbackAnswer | Promise<LoopbackAnswer> {
    if (request.method === 'POST' && request.path === '/token')
      return this.#exchange(new URLSearchParams(request.body));
    const expiresAt = this.#tokens.get(request.authorization.replace(/^Bearer /, ''));
    if (expiresAt === undefined || expiresAt <= this.#options.wallClock.now())
      return missing(401, 'Invalid Credentials');
    const prefix = `/androidpublisher/v3/applications/${this.#options.packageName}/`;
    if (!request.path.startsWith(prefix)) return missing(404, 'No application was found for the given package name.');
    return this.#resource(request, request.path.slice(prefix.length));
  }

  #resource({ method, query }: LoopbackRequest, path: string): LoopbackAnswer {
    const acknowledged = /^purchases\/(?:subscriptions|products)\/[^/]+\/tokens\/(.+):acknowledge$/s.exec(path)?.[1];
    if (method === 'POST' && acknowledged !== undefined) return this.#acknowledge(acknowledged);
    const [, kind = '', token = ''] = /^purchases\/(subscriptionsv2|productsv2)\/tokens\/(.+)$/s.exec(path) ?? [];
    if (this.forgotten.has(token)) return missing(410, 'The subscription purchase is no longer available.');
    if (kind === 'subscriptionsv2') return this.#found(this.subscriptions.get(token));
    if (kind === 'productsv2') return this.#found(this.products.get(token));
    if (path.startsWith('orders/')) return this.#found(this.orders.get(path.slice('orders/'.length)));
    return path === 'purchases/voidedpurchases' ? this.#voidedPage(query) : missing(404, 'Not found.');
  }

  #found(resource: object | undefined): LoopbackAnswer {
    return resource ? answer(200, resource) : missing(404, 'The purchase token was not found.');
  }

  #acknowledge(token: string): LoopbackAnswer {
    const purchase = this.subscriptions.get(token) ?? this.products.get(token);
    if (!purchase) return missing(404, 'Not found.');
    purchase.acknowledgementState = 'ACKNOWLEDGEMENT_STATE_ACKNOWLEDGED';
    this.acknowledged.push(token);
    return answer(200);
  }

  #voidedPage(query: URLSearchParams): LoopbackAnswer {
    const first = Number(query.get('token') ?? 0);
    const since = Number(query.get('startTime') ?? 0);
    // Without type 1 Google lists one-time purchases alone, and those of which some pieces went back only if asked to.
    const listed = this.voided.filter(
      ({ voidedTimeMillis, purchaseToken, voidedQuantity }) =>
        Number(voidedTimeMillis) >= since &&
        (query.get('type') === '1' || this.products.has(purchaseToken ?? '')) &&
        (voidedQuantity == null || query.get('includeQuantityBasedPartialRefund') === 'true'),
    );
    const next = first + this.pageSize;
    return answer(200, {
      voidedPurchases: listed.slice(first, next),
      ...(next < listed.length && { tokenPagination: { nextPageToken: String(next) } }),
    });
  }

  async #exchange(form: URLSearchParams): Promise<LoopbackAnswer> {
    const now = this.#options.wallClock.now();
    const { client_email: clientEmail, private_key: key, token_uri: tokenUri = '' } = this.serviceAccount;
    const refusal = await refusePlayAssertion(form, { clientEmail, publicKey: createPublicKey(key), tokenUri, now });
    if (refusal) return answer(400, refusal);
    this.exchanges += 1;
    const token = `ya29.${randomUUID()}`;
    this.#tokens.set(token, now + tokenLifeSeconds * 1000);
    return answer(200, { access_token: token, expires_in: tokenLifeSeconds, token_type: 'Bearer' });
  }
}

/** One for all servers of a process: making one takes a tenth of a second, and each test of many has a server of its own. */
let keyOfAccounts: string | undefined;

function serviceAccount(tokenUri: string): PlayServiceAccount {
  keyOfAccounts ??= rsaKey();
  return {
    client_email: 'validator@example-project.iam.gserviceaccount.com',
    private_key: keyOfAccounts,
    private_key_id: randomUUID(),
    token_uri: tokenUri,
  };
}

/** In PEM. */
export const rsaKey = (): string =>
  generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
