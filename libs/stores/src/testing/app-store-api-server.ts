import type { Clock } from '@paywright/platform';
import { z } from 'zod';
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
const tooFarInPast: LoopbackAnswer = {
  status: 400,
  body: {
    errorCode: 4000012,
    errorMessage: 'Invalid request. The start date is earlier than the allowed start date.',
  },
};
const dayMs = 86_400_000;
/** How far back Apple tells of notifications. */
export const appStoreHistoryMs = { production: 180 * dayMs, sandbox: 30 * dayMs } as const;

const HistoryRequest = z.object({ startDate: z.int(), endDate: z.int() });
const Dated = z.object({ signedDate: z.int() });
/** Apple's. */
const historyPageSize = 20;

/** From when on the store keeps its notifications. */
export interface KeptHistory {
  readonly clock: Clock;
  readonly keptMs: number;
}

/**
 * One environment of the App Store Server API on loopback, as far as it is used. Without a rightly signed bearer of
 * the known key it answers 401.
 */
export class AppStoreApiServer extends StoreApiServer {
  /** Signed transactions, by id. */
  readonly transactions = new Map<string, string>();
  /** By original transaction id. */
  readonly subscriptions = new Map<string, readonly LastTransaction[]>();
  /** Signed notifications, oldest first. */
  readonly notifications: string[] = [];
  readonly #key: KnownApiKey;
  readonly #history: KeptHistory | null;
  /** The last bearer that was found good: what is measured with this server is not its own checks. */
  #letIn: string | null = null;

  private constructor(http: LoopbackServer, key: KnownApiKey, history: KeptHistory | null) {
    super(http);
    this.#key = key;
    this.#history = history;
  }

  /** @param history null: its notifications are asked for from any day on */
  static async start(key: KnownApiKey, history: KeptHistory | null = null): Promise<AppStoreApiServer> {
    const http = await LoopbackServer.start((request) => server.#answer(request));
    const server = new AppStoreApiServer(http, key, history);
    return server;
  }

  async #answer({ path, query, authorization, body }: LoopbackRequest): Promise<LoopbackAnswer> {
    if (!(await this.#isLetIn(authorization))) return unauthenticated;
    if (path === '/inApps/v1/notifications/history')
      return this.#notificationsOf(body, Number(query.get('paginationToken') ?? 0));
    const [, kind, id = ''] = /^\/inApps\/v1\/(transactions|subscriptions)\/([^/]+)$/.exec(path) ?? [];
    const signedTransactionInfo = this.transactions.get(id);
    const lastTransactions = this.subscriptions.get(id);
    if (kind === 'transactions' && signedTransactionInfo !== undefined)
      return { status: 200, body: { signedTransactionInfo } };
    if (kind === 'subscriptions' && lastTransactions !== undefined)
      return { status: 200, body: { bundleId: this.#key.bundleId, data: [{ lastTransactions }] } };
    return notFound;
  }

  #notificationsOf(body: string, first: number): LoopbackAnswer {
    const { startDate, endDate } = HistoryRequest.parse(JSON.parse(body));
    if (this.#history && startDate < this.#history.clock.now() - this.#history.keptMs) return tooFarInPast;
    const signed = this.notifications.filter((payload) => {
      const at = signedDateOf(payload);
      return startDate <= at && at <= endDate;
    });
    const next = first + historyPageSize;
    const notificationHistory = signed.slice(first, next).map((signedPayload) => ({ signedPayload, sendAttempts: [] }));
    const hasMore = next < signed.length;
    return { status: 200, body: { notificationHistory, hasMore, ...(hasMore && { paginationToken: String(next) }) } };
  }

  async #isLetIn(authorization: string): Promise<boolean> {
    if (authorization === this.#letIn) return true;
    const isGood = await verifyAppStoreBearer(authorization, this.#key);
    if (isGood) this.#letIn = authorization;
    return isGood;
  }
}

const signedDateOf = (payload: string): number =>
  Dated.parse(JSON.parse(Buffer.from(payload.split('.')[1] ?? '', 'base64url').toString())).signedDate;
