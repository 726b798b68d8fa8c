import { androidpublisher, type androidpublisher_v3 } from '@googleapis/androidpublisher';
import { z } from 'zod';
import { readAnswer } from '../store-answer.ts';
import { askedTooMuch, StoreFault } from '../store-fault.ts';
import { untilAborted } from '../until-aborted.ts';
import { forgetAccessToken, type PlayAccessOptions, playAuthorization } from './play-access-token.ts';
import { PlayOrder, PlayProduct, PlaySubscription, PlayVoidedPurchases } from './play-answers.ts';
import type { PlayServiceAccount } from './play-credentials.ts';

export interface PlayApiOptions extends PlayAccessOptions {
  /** `https://androidpublisher.googleapis.com`, or what stands in for it. */
  readonly baseUrl: string;
}

/** What Google does not know by this token or id; `gone` when it knew it once and keeps it no longer. */
export type Missing = 'not-found' | 'gone';

export interface PlayVoidedPurchase {
  readonly purchaseToken: string;
  readonly orderId: string | null;
  readonly voidedAt: number | null;
  /** `part`: some of the pieces that were bought. */
  readonly voids: 'all' | 'part';
}

/** What of the list is wanted: from a time on, in milliseconds, at most 30 days ago; `after` is the page before's `next`. */
export interface PlayVoidedPage {
  readonly since: number;
  readonly after: string | null;
}

export interface PlayVoidedList {
  readonly voided: readonly PlayVoidedPurchase[];
  /** null: that was all. */
  readonly next: string | null;
}

/** The calls that we make on Google Play, for one app. Every method throws `StoreFault` and nothing else. */
export interface PlayApi {
  subscription(token: string, signal: AbortSignal): Promise<PlaySubscription | Missing>;
  product(token: string, signal: AbortSignal): Promise<PlayProduct | Missing>;
  /** `hidden`: the service account may not see orders. */
  order(orderId: string, signal: AbortSignal): Promise<PlayOrder | Missing | 'hidden'>;
  /**
   * Without it Google gives the money back after three days. Safe to repeat.
   * @returns false if Google has nothing there to acknowledge, as of a purchase that is over
   */
  acknowledge(
    kind: 'subscription' | 'one_time',
    productId: string,
    token: string,
    signal: AbortSignal,
  ): Promise<boolean>;
  /** A page of the purchases of both kinds that were voided. */
  voidedPurchases(wanted: PlayVoidedPage, signal: AbortSignal): Promise<PlayVoidedList>;
  /** The status of a call that takes the right to see orders: 200 if all is well. */
  financialStatus(signal: AbortSignal): Promise<number>;
}

type Call<T> = (options: {
  signal: AbortSignal;
  retry: false;
  timeout: number;
  redirect: 'error';
}) => Promise<{ data: T }>;

/** Google Play's API for one package. Nothing is retried here: a deadline has to hold for all calls together. */
export function playApi(account: PlayServiceAccount, packageName: string, options: PlayApiOptions): PlayApi {
  const auth = playAuthorization(account, options);
  const rootUrl = `${options.baseUrl.replace(/\/$/, '')}/`;
  const { purchases, orders } = androidpublisher({ version: 'v3', rootUrl, auth });
  const { timeoutMs } = options;

  async function ask<T>(call: Call<T>, signal: AbortSignal): Promise<{ data: T } | { status: number }> {
    try {
      const { data } = await untilAborted(
        call({ signal, retry: false, timeout: timeoutMs, redirect: 'error' }),
        signal,
      );
      return { data };
    } catch (error) {
      if (error instanceof StoreFault) throw error;
      const status = lacksRight(error) ? 403 : statusOf(error);
      if (status === 401) forgetAccessToken(auth);
      if (status === 429) throw askedTooMuch('Google Play', retryAfterOf(error));
      if (status === null) throw new StoreFault('unavailable', 'Google Play did not answer in time.');
      return { status };
    }
  }

  async function find<Schema extends z.ZodType>(
    schema: Schema,
    call: Call<unknown>,
    signal: AbortSignal,
  ): Promise<z.output<Schema> | Missing> {
    const found = await seek(schema, call, signal);
    if (found === 'hidden') throw refused(403);
    return found;
  }

  async function seek<Schema extends z.ZodType>(
    schema: Schema,
    call: Call<unknown>,
    signal: AbortSignal,
  ): Promise<z.output<Schema> | Missing | 'hidden'> {
    const answer = await ask(call, signal);
    if ('data' in answer) return readAnswer('Google Play', schema, answer.data);
    if (answer.status === 410) return 'gone';
    if (answer.status === 403) return 'hidden';
    if (answer.status === 400 || answer.status === 404) return 'not-found';
    throw refused(answer.status);
  }

  async function acknowledge(
    kind: 'subscription' | 'one_time',
    productId: string,
    token: string,
    signal: AbortSignal,
  ): Promise<boolean> {
    const body = { packageName, token, requestBody: {} };
    const answer = await ask<unknown>(
      (call) =>
        kind === 'subscription'
          ? purchases.subscriptions.acknowledge({ ...body, subscriptionId: productId }, call)
          : purchases.products.acknowledge({ ...body, productId }, call),
      signal,
    );
    if ('data' in answer) return true;
    if ([400, 404, 410].includes(answer.status)) return false;
    throw refused(answer.status);
  }

  async function voidedPurchases({ since, after }: PlayVoidedPage, signal: AbortSignal): Promise<PlayVoidedList> {
    // Type 1: subscriptions as well; without it only one-time purchases are listed.
    const query: androidpublisher_v3.Params$Resource$Purchases$Voidedpurchases$List = {
      packageName,
      startTime: String(since),
      type: 1,
      includeQuantityBasedPartialRefund: true,
      ...(after !== null && { token: after }),
    };
    const answer = await ask<unknown>((call) => purchases.voidedpurchases.list(query, call), signal);
    if ('status' in answer) throw refused(answer.status);
    const { voidedPurchases: found, tokenPagination } = readAnswer('Google Play', PlayVoidedPurchases, answer.data);
    return {
      voided: (found ?? []).map(({ purchaseToken, orderId, voidedTimeMillis, voidedQuantity }) => ({
        ...{ purchaseToken, orderId: orderId ?? null },
        voidedAt: voidedTimeMillis ?? null,
        voids: (voidedQuantity ?? 0) === 0 ? 'all' : 'part',
      })),
      next: tokenPagination?.nextPageToken || null,
    };
  }

  async function financialStatus(signal: AbortSignal): Promise<number> {
    const answer = await ask<unknown>(
      (call) => purchases.voidedpurchases.list({ packageName, maxResults: 1 }, call),
      signal,
    );
    return 'data' in answer ? 200 : answer.status;
  }

  return {
    subscription: (token, signal) =>
      find(PlaySubscription, (call) => purchases.subscriptionsv2.get({ packageName, token }, call), signal),
    product: (token, signal) =>
      find(PlayProduct, (call) => purchases.productsv2.getproductpurchasev2({ packageName, token }, call), signal),
    order: (orderId, signal) => seek(PlayOrder, (call) => orders.get({ packageName, orderId }, call), signal),
    acknowledge,
    voidedPurchases,
    financialStatus,
  };
}

/** The HTTP status that the library's error carries; null if there was no answer. The rest of it holds the request. */
function statusOf(error: unknown): number | null {
  const status = typeof error === 'object' && error !== null && 'status' in error ? error.status : null;
  return typeof status === 'number' ? status : null;
}

const Refusal = z.object({
  response: z.object({ data: z.object({ error: z.object({ errors: z.array(z.object({ reason: z.string() })) }) }) }),
});

/** Whether Google took the account, and does not let it see this: it says so with the status of one that it did not take. */
const lacksRight = (error: unknown): boolean =>
  Refusal.safeParse(error).data?.response.data.error.errors.some(({ reason }) => reason === 'permissionDenied') ===
  true;

/** The library answers with a response of its own, not of Node's. */
const retryAfterOf = (error: unknown): string | null =>
  (error as { readonly response?: { readonly headers?: Pick<Headers, 'get'> } }).response?.headers?.get(
    'retry-after',
  ) ?? null;

function refused(status: number): StoreFault {
  const isOurs = status === 401 || status === 403;
  const message = isOurs ? 'Google Play refused the service account' : 'Google Play could not answer';
  return new StoreFault('unavailable', `${message} (status ${status}).`);
}
