import { verifyAppStoreBearer, type KnownApiKey } from './app-store-bearer.ts';
import { LoopbackServer, type LoopbackAnswer, type LoopbackRequest } from './loopback-server.ts';
import { StoreApiServer } from './store-api-server.ts';

/** What the store says of a subscription: one of `lastTransactions`. `status` is Apple's, 1 to 5. */
export interface LastTransaction {
  readonly originalTransactionId?: string;
  readonly status?: number;
  readonly signedTransactionInfo?: string;
  readonly signedRenewalInfo?: string;
}

const unauthenticated: LoopbackAnswer = { status: 401, body: 'Unauthenticated\n\nRequest ID: 1' };
const notFound: LoopbackAnswer = {
  status: 404,
  body: { errorCode: 4040010, errorMessage: 'Transaction id not found.' },
};

/**
 * One environment of the App Store Server API on loopback, as far as it is used. Without a rightly signed bearer of
 * the known key it answers 401.
 */
export class AppStoreApiServer extends StoreApiServer {
  /** Signed transactions, by id. */
  readonly transactions = new Map<string, string>();
  /** By original transaction id. */
  readonly subscriptions = new Map<string, readonly LastTransaction[]>();
  /** Signed notifications, oldest first; a question gets all of them, of whatever time. */
  readonly notifications: string[] = [];
  readonly #key: KnownApiKey;
  /** The last bearer that was found good: what is measured with this server is not its own checks. */
  #letIn: string | null = null;

  private constructor(http: LoopbackServer, key: KnownApiKey) {
    super(http);
    this.#key = key;
  }

  static async start(key: KnownApiKey): Promise<AppStoreApiServer> {
    const http = await LoopbackServer.start((request) => server.#answer(request));
    const server = new AppStoreApiServer(http, key);
    return server;
  }

  async #answer({ path, authorization }: LoopbackRequest): Promise<LoopbackAnswer> {
    if (!(await this.#isLetIn(authorization))) return unauthenticated;
    if (path === '/inApps/v1/notifications/history') return this.#history();
    const [, kind, id = ''] = /^\/inApps\/v1\/(transactions|subscriptions)\/([^/]+)$/.exec(path) ?? [];
    const signedTransactionInfo = this.transactions.get(id);
    const lastTransactions = this.subscriptions.get(id);
    if (kind === 'transactions' && signedTransactionInfo !== undefined)
      return { status: 200, body: { signedTransactionInfo } };
    if (kind === 'subscriptions' && lastTransactions !== undefined)
      return { status: 200, body: { bundleId: this.#key.bundleId, data: [{ lastTransactions }] } };
    return notFound;
  }

  #history(): LoopbackAnswer {
    const notificationHistory = this.notifications.map((signedPayload) => ({ signedPayload, sendAttempts: [] }));
    return { status: 200, body: { notificationHistory, hasMore: false } };
  }

  async #isLetIn(authorization: string): Promise<boolean> {
    if (authorization === this.#letIn) return true;
    const isGood = await verifyAppStoreBearer(authorization, this.#key);
    if (isGood) this.#letIn = authorization;
    return isGood;
  }
}
