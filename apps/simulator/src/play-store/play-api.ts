import { createHmac, createPublicKey, timingSafeEqual } from 'node:crypto';
import type { Clock } from '@paywright/platform';
import { refusePlayAssertion } from '@paywright/stores/testing';
import { decodeJwt } from 'jose';
import type { Questions } from '../delivery/questions.ts';
import { isZero } from '../domain/amounts.ts';
import { paidFor } from '../domain/payments.ts';
import type { Purchase } from '../domain/purchase.ts';
import { ok, type Answer, type Call } from '../http/call.ts';
import { orderIdOf, paymentIdOf } from '../state/ids.ts';
import type { SimulatedApp } from '../state/simulated-app.ts';
import type { SimulatorState } from '../state/simulator-state.ts';
import { orderResource, productResource, subscriptionResource } from './play-resources.ts';

const tokenLifeSeconds = 3_600;
/** So long after its end Google forgets a subscription. */
const keptAfterEndMs = 60 * 86_400_000;
const pageSize = 1_000;

const missing = (code: number, message: string): Answer => ({ status: code, body: { error: { code, message } } });
const notFound = missing(404, 'The purchase token was not found.');

/** Google Play's developer API, as far as it is used, with the token endpoint before it. */
export class PlayApi {
  readonly #state: SimulatorState;
  readonly #clock: Clock;
  readonly #questions: Questions;
  /** By order id without the number of its renewal; filled as orders are asked for. */
  readonly #tokenOfOrder = new Map<string, string>();
  #indexed = 0;

  constructor(state: SimulatorState, clock: Clock, questions: Questions) {
    this.#questions = questions;
    this.#state = state;
    this.#clock = clock;
  }

  /** Exchanges a signed assertion for an access token. Both are stamped by the machine's clock. @param tokenUri its own address */
  async exchange({ body }: Call, tokenUri: string): Promise<Answer> {
    const form = new URLSearchParams(body);
    const issuer = issuerOf(form.get('assertion') ?? '');
    const app = [...this.#state.apps.values()].find(({ playStore }) => playStore.clientEmail === issuer);
    if (!app)
      return { status: 400, body: { error: 'invalid_grant', error_description: 'Invalid grant: account not found' } };
    const { clientEmail, publicKey } = app.playStore;
    const now = this.#clock.machineNow();
    const refusal = await refusePlayAssertion(form, {
      clientEmail,
      publicKey: createPublicKey(publicKey),
      tokenUri,
      now,
    });
    if (refusal) return { status: 400, body: refusal };
    const claims = `${app.appId}.${Math.floor(now / 1000) + tokenLifeSeconds}`;
    return ok({
      access_token: `ya29.${claims}.${tagOf(claims, app)}`,
      expires_in: tokenLifeSeconds,
      token_type: 'Bearer',
    });
  }

  answer(call: Call): Answer {
    const { path } = call;
    const app = this.#caller(call);
    if (app === null) return missing(401, 'Invalid Credentials');
    const prefix = `/androidpublisher/v3/applications/${app.packageName}/`;
    if (!path.startsWith(prefix)) return missing(404, 'No application was found for the given package name.');
    return this.#resource(call, app, path.slice(prefix.length));
  }

  /** The access token says whose it is, so that it outlives the simulator's process. */
  #caller({ authorization }: Call): SimulatedApp | null {
    const [, claims = '', appId, expiresAt, tag = ''] =
      /^Bearer ya29\.((\d+)\.(\d+))\.([\w-]+)$/.exec(authorization) ?? [];
    const app = this.#state.apps.get(Number(appId));
    if (!app || Number(expiresAt) * 1000 <= this.#clock.machineNow()) return null;
    const [given, right] = [Buffer.from(tag), Buffer.from(tagOf(claims, app))];
    return given.length === right.length && timingSafeEqual(given, right) ? app : null;
  }

  #resource({ method, query }: Call, app: SimulatedApp, path: string): Answer {
    const acknowledged = /^purchases\/(?:subscriptions|products)\/(?:[^/]+\/)?tokens\/(.+):acknowledge$/s.exec(
      path,
    )?.[1];
    if (method === 'POST' && acknowledged !== undefined) return this.#acknowledge(app, acknowledged);
    const [, kind = '', token = ''] = /^purchases\/(subscriptionsv2|productsv2)\/tokens\/(.+)$/s.exec(path) ?? [];
    if (kind !== '') return this.#purchase(app, kind === 'subscriptionsv2' ? 'subscription' : 'one-time', token);
    if (path.startsWith('orders/')) return this.#order(app, path.slice('orders/'.length));
    return path === 'purchases/voidedpurchases' ? this.#voided(app, query) : missing(404, 'Not found.');
  }

  #sold({ appId }: SimulatedApp, token: string): Purchase | null {
    const purchase = this.#state.purchases.get(token);
    return purchase?.store === 'play-store' && purchase.appId === appId ? purchase : null;
  }

  #purchase(app: SimulatedApp, kind: Purchase['kind'], token: string): Answer {
    const purchase = this.#sold(app, token);
    if (purchase === null || purchase.kind !== kind) return notFound;
    this.#questions.asked(token);
    if (kind === 'one-time') return ok(productResource(purchase));
    const isForgotten = purchase.endedAt !== null && purchase.endedAt + keptAfterEndMs < this.#clock.now();
    return isForgotten
      ? missing(
          410,
          'The subscription purchase is no longer available for query because it has been expired for too long.',
        )
      : ok(subscriptionResource(purchase));
  }

  #order(app: SimulatedApp, orderId: string): Answer {
    const token = this.#tokensByOrder().get(orderId.replace(/\.\.\d+$/, '')) ?? null;
    let answer = missing(404, 'The order was not found.');
    // A purchase that took the place of the order's own goes on with its period, and has what was given back of it.
    for (let next = token; next !== null;) {
      const purchase = this.#sold(app, next);
      const period = purchase?.periods.find(({ number }) => paymentIdOf(purchase, number) === orderId);
      if (purchase && period) answer = ok(orderResource(purchase, period));
      next = purchase?.replacedBy ?? null;
    }
    return answer;
  }

  #tokensByOrder(): ReadonlyMap<string, string> {
    const { purchases } = this.#state;
    if (purchases.size === this.#indexed) return this.#tokenOfOrder;
    this.#indexed = purchases.size;
    for (const purchase of purchases.values())
      if (purchase.store === 'play-store') this.#tokenOfOrder.set(orderIdOf(purchase.id, 0), purchase.id);
    return this.#tokenOfOrder;
  }

  #acknowledge(app: SimulatedApp, token: string): Answer {
    const purchase = this.#sold(app, token);
    if (purchase === null) return notFound;
    this.#state.put({ purchases: [{ ...purchase, isAcknowledged: true }] });
    return { status: 204, body: null };
  }

  #voided({ appId }: SimulatedApp, query: URLSearchParams): Answer {
    const first = Number(query.get('token') ?? 0);
    const since = Number(query.get('startTime') ?? 0);
    // Without type 1 Google lists one-time purchases alone.
    const isListed = ({ kind }: Purchase) => query.get('type') === '1' || kind === 'one-time';
    const ofApp = [...this.#state.purchases.values()].filter(
      (each) => each.store === 'play-store' && each.appId === appId,
    );
    const all = ofApp
      .filter(isListed)
      .flatMap(voidedOf)
      .filter(({ voidedTimeMillis }) => Number(voidedTimeMillis) >= since);
    const next = first + pageSize;
    return ok({
      voidedPurchases: all.slice(first, next),
      ...(next < all.length && { tokenPagination: { nextPageToken: String(next) } }),
    });
  }
}

function voidedOf(purchase: Purchase) {
  return purchase.periods
    .filter((period) => period.refunds.length > 0 && isZero(paidFor(period)))
    .map((period) => ({
      kind: 'androidpublisher#voidedPurchase',
      purchaseToken: period.carried?.token ?? purchase.id,
      purchaseTimeMillis: String(period.paidAt),
      voidedTimeMillis: String(period.refunds.at(-1)!.at),
      orderId: paymentIdOf(purchase, period.number),
      voidedSource: 1,
      voidedReason: 0,
    }));
}

const tagOf = (claims: string, { playStore }: SimulatedApp): string =>
  createHmac('sha256', playStore.privateKey).update(claims).digest('base64url');

function issuerOf(assertion: string): string | undefined {
  try {
    return decodeJwt(assertion).iss;
  } catch {
    return undefined;
  }
}
