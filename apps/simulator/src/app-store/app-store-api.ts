import type { Clock } from '@paywright/platform';
import { appStoreHistoryMs, verifyAppStoreBearer } from '@paywright/stores/testing';
import { z } from 'zod';
import { bodyOf, ok, type Answer, type Call } from '../http/call.ts';
import { lastPeriod, type Purchase } from '../domain/purchase.ts';
import { paymentIdOf } from '../state/ids.ts';
import type { SimulatedApp } from '../state/simulated-app.ts';
import type { SimulatorState } from '../state/simulator-state.ts';
import { statusOf, type SignedParts } from './signed-parts.ts';

const fault = (status: number, errorCode: number, errorMessage: string): Answer => ({
  status,
  body: { errorCode, errorMessage },
});
const notFound = fault(404, 4040010, 'Transaction id not found.');
const tooFarInPast = fault(400, 4000012, 'Invalid request. The start date is earlier than the allowed start date.');
const unauthenticated: Answer = { status: 401, body: 'Unauthenticated\n\nRequest ID: simulated' };

const HistoryRequest = z.object({
  startDate: z.int(),
  endDate: z.int(),
  notificationType: z.string().optional(),
  notificationSubtype: z.string().optional(),
  onlyFailures: z.boolean().optional(),
  transactionId: z.string().optional(),
});
const pageSize = 20;

/** One environment of the App Store Server API, as far as it is used. */
export class AppStoreApi {
  readonly #environment: Purchase['environment'];
  readonly #state: SimulatorState;
  readonly #parts: SignedParts;
  readonly #clock: Clock;

  constructor(environment: Purchase['environment'], state: SimulatorState, parts: SignedParts, clock: Clock) {
    this.#environment = environment;
    this.#state = state;
    this.#parts = parts;
    this.#clock = clock;
  }

  /** @param path behind the base address */
  async answer(call: Call, path: string): Promise<Answer> {
    const app = await this.#caller(call);
    if (app === null) return unauthenticated;
    if (call.method === 'POST' && path === '/inApps/v1/notifications/history') return this.#history(app, call);
    const [, kind, id = ''] = /^\/inApps\/v1\/(transactions|subscriptions|history)\/(\d{1,32})$/.exec(path) ?? [];
    const found = this.#find(app, id);
    if (call.method !== 'GET' || found === null) return notFound;
    if (kind === 'transactions') return this.#transaction(app, found);
    return found.purchase.kind === 'subscription' ? this.#subscription(app, found.purchase) : notFound;
  }

  async #caller({ authorization }: Call): Promise<SimulatedApp | null> {
    for (const app of this.#state.apps.values()) {
      if (await verifyAppStoreBearer(authorization, { ...app.appStore, bundleId: app.bundleId })) return app;
    }
    return null;
  }

  /** A chain's ids follow each other, and ten thousand belong to each. */
  #find({ appId }: SimulatedApp, id: string): { purchase: Purchase; number: number } | null {
    const original = `${id.slice(0, -4)}0000`;
    const purchase = this.#state.purchases.get(original);
    if (purchase?.store !== 'app-store' || purchase.appId !== appId || purchase.environment !== this.#environment)
      return null;
    const number = purchase.periods.findIndex((period) => paymentIdOf(purchase, period.number) === id);
    return number < 0 ? null : { purchase, number };
  }

  #transaction({ bundleId }: SimulatedApp, { purchase, number }: { purchase: Purchase; number: number }): Answer {
    return ok({ signedTransactionInfo: this.#parts.transaction(purchase, bundleId, number, this.#clock.now()) });
  }

  #subscription({ bundleId, appStore }: SimulatedApp, purchase: Purchase): Answer {
    const now = this.#clock.now();
    const last = {
      originalTransactionId: purchase.id,
      status: statusOf(purchase),
      signedTransactionInfo: this.#parts.transaction(purchase, bundleId, lastPeriod(purchase).number, now),
      signedRenewalInfo: this.#parts.renewal(purchase, now),
    };
    const isSandbox = this.#environment === 'sandbox';
    return ok({
      environment: isSandbox ? 'Sandbox' : 'Production',
      bundleId,
      ...(!isSandbox && { appAppleId: appStore.appAppleId }),
      data: [{ subscriptionGroupIdentifier: String(20_000_000 + purchase.appId), lastTransactions: [last] }],
    });
  }

  #history({ appId }: SimulatedApp, call: Call): Answer {
    const wanted = bodyOf(call, HistoryRequest);
    if (wanted.startDate < this.#clock.now() - appStoreHistoryMs[this.#environment]) return tooFarInPast;
    const offset = Number(call.query.get('paginationToken') ?? 0);
    const page = { appId, store: 'app-store', environment: this.#environment, offset, limit: pageSize + 1 };
    const sent = this.#state.sent({ ...page, from: wanted.startDate, to: wanted.endDate });
    const [type, subtype] = [wanted.notificationType, wanted.notificationSubtype];
    const label = type === undefined ? null : subtype === undefined ? type : `${type}/${subtype}`;
    const shown = sent
      .slice(0, pageSize)
      .filter(
        (each) =>
          (label === null || each.label === label || (subtype === undefined && each.label.startsWith(`${label}/`))) &&
          (wanted.onlyFailures !== true || !each.attempts.some(({ status }) => isSuccess(status))) &&
          (wanted.transactionId === undefined || each.purchaseId === `${wanted.transactionId.slice(0, -4)}0000`),
      );
    const hasMore = sent.length > pageSize;
    return ok({
      notificationHistory: shown.map(({ body, attempts }) => ({
        signedPayload: z.object({ signedPayload: z.string() }).parse(JSON.parse(body)).signedPayload,
        sendAttempts: attempts.map(({ at, status }) => ({
          attemptDate: at,
          sendAttemptResult: isSuccess(status)
            ? 'SUCCESS'
            : status === null
              ? 'NO_RESPONSE'
              : 'UNSUCCESSFUL_HTTP_RESPONSE_CODE',
        })),
      })),
      hasMore,
      ...(hasMore && { paginationToken: String(offset + pageSize) }),
    });
  }
}

const isSuccess = (status: number | null) => status !== null && status >= 200 && status < 300;
