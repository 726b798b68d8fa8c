import type { Clock } from '@paywright/platform';
import { stripeAnswer, type StripeEventObject } from '@paywright/stores/testing';
import type { Questions } from '../delivery/questions.ts';
import type { Purchase } from '../domain/purchase.ts';
import type { Answer, Call } from '../http/call.ts';
import { paymentIdOf } from '../state/ids.ts';
import type { SimulatorState } from '../state/simulator-state.ts';
import { objectsOf, scheduleIdOf } from './stripe-objects.ts';

const refused: Answer = {
  status: 401,
  body: { error: { type: 'invalid_request_error', message: 'Invalid API Key provided' } },
};

/** How long an event can be read, and how many of them are. */
const keptMs = 30 * 86_400_000;
const mostEvents = 100_000;
/** What a list shows that asks for nothing in particular. */
const newest = 20;

/** Stripe's API, as far as it is used; an account an app. */
export class StripeApi {
  readonly #state: SimulatorState;
  readonly #questions: Questions;
  readonly #clock: Clock;
  /** By the ids of the objects that were made of it. */
  readonly #purchaseOf = new Map<string, string>();
  readonly #indexed = new Map<string, number>();

  constructor(state: SimulatorState, questions: Questions, clock: Clock) {
    this.#state = state;
    this.#clock = clock;
    this.#questions = questions;
  }

  answer({ path, query, authorization }: Call): Answer {
    const key = authorization.replace(/^Bearer /, '');
    const app = [...this.#state.apps.values()].find(({ stripe }) => stripe.apiKey === key);
    if (!app) return refused;
    const wanted = this.#concerned(path, query).filter(({ appId }) => appId === app.appId);
    const isAsked = /^\/v1\/(subscriptions|payment_intents)\/([^/]+)$/.exec(path);
    if (isAsked?.[2] !== undefined) this.#questions.asked(isAsked[2]);
    const events = path === '/v1/events' ? this.#events(app.appId, query) : new Map<string, StripeEventObject>();
    return stripeAnswer({ ...objectsOf(wanted), events }, { path, query });
  }

  /** What Stripe keeps of them, oldest first; of the asked-for time alone, as each is parsed. */
  #events(appId: number, query: URLSearchParams): ReadonlyMap<string, StripeEventObject> {
    const now = this.#clock.now();
    const from = Math.max(now - keptMs, Number(query.get('created[gte]') ?? 0) * 1000);
    const to = Math.min(now, (Number(query.get('created[lte]') ?? Infinity) + 1) * 1000);
    const search = { ...{ appId, store: 'stripe', from, to }, offset: 0, limit: mostEvents };
    const sent = (['production', 'sandbox'] as const).flatMap((environment) =>
      this.#state.sent({ ...search, environment }),
    );
    const written = sent.sort((a, b) => a.writtenAt - b.writtenAt);
    return new Map(written.map(({ id, body }) => [id, JSON.parse(body) as StripeEventObject]));
  }

  /** The purchases that the question can be about: of all others, no objects are made. */
  #concerned(path: string, query: URLSearchParams): readonly Purchase[] {
    const ofStripe = [...this.#state.purchases.values()].filter(({ store }) => store === 'stripe');
    const customer = query.get('customer');
    if (customer !== null) return ofStripe.filter(({ customerId }) => customerId === customer);
    const id =
      /^\/v1\/(?:checkout\/sessions|(?!checkout\/)[a-z_]+)\/(.+?)(?:\/(?:lines|line_items))?$/s.exec(path)?.[1] ??
      ['subscription', 'charge', 'invoice', 'payment_intent', 'payment[payment_intent]']
        .map((name) => query.get(name))
        .find((each) => each !== null);
    if (id == null) return ofStripe.slice(-newest);
    this.#index(ofStripe);
    const purchase = this.#state.purchases.get(id) ?? this.#state.purchases.get(this.#purchaseOf.get(id) ?? '');
    return purchase?.store === 'stripe' ? [purchase] : [];
  }

  #index(purchases: readonly Purchase[]): void {
    for (const purchase of purchases) {
      if (this.#indexed.get(purchase.id) === purchase.newsCount) continue;
      this.#indexed.set(purchase.id, purchase.newsCount);
      const objects = objectsOf([purchase]);
      const { invoices, charges, refunds, checkouts } = objects;
      for (const made of [invoices, charges, refunds, checkouts])
        for (const id of made.keys()) this.#purchaseOf.set(id, purchase.id);
      for (const { number } of purchase.periods)
        this.#purchaseOf.set(`pi_${paymentIdOf(purchase, number)}`, purchase.id);
      this.#purchaseOf.set(scheduleIdOf(purchase.id), purchase.id);
    }
  }
}
