import { type LoopbackAnswer, type LoopbackRequest, LoopbackServer } from './loopback-server.ts';
import type {
  StripeChargeObject,
  StripeCheckoutObject,
  StripeDisputeObject,
  StripeInvoiceObject,
  StripePaymentIntentObject,
  StripeRefundObject,
  StripeSubscriptionObject,
} from './stripe-objects.ts';
import { StoreApiServer } from './store-api-server.ts';

const ok = (body: object): LoopbackAnswer => ({ status: 200, body });
const unknown = (id: string): LoopbackAnswer => ({
  status: 404,
  body: { error: { type: 'invalid_request_error', code: 'resource_missing', message: `No such object: '${id}'` } },
});
const refused: LoopbackAnswer = {
  status: 401,
  body: { error: { type: 'invalid_request_error', message: 'Invalid API Key provided' } },
};

/** Stripe's API for one account on loopback, as far as it is used. Objects are kept by id, newest last. */
export class StripeApiServer extends StoreApiServer {
  readonly subscriptions = new Map<string, StripeSubscriptionObject>();
  readonly invoices = new Map<string, StripeInvoiceObject>();
  readonly charges = new Map<string, StripeChargeObject>();
  readonly refunds = new Map<string, StripeRefundObject>();
  readonly disputes = new Map<string, StripeDisputeObject>();
  readonly paymentIntents = new Map<string, StripePaymentIntentObject>();
  readonly checkouts = new Map<string, StripeCheckoutObject>();

  private constructor(http: LoopbackServer) {
    super(http);
  }

  /** @param apiKey the one key that is answered */
  static async start(apiKey: string): Promise<StripeApiServer> {
    const http = await LoopbackServer.start((request) =>
      request.authorization === `Bearer ${apiKey}` ? server.#answer(request) : refused,
    );
    const server = new StripeApiServer(http);
    return server;
  }

  #answer({ path, query }: LoopbackRequest): LoopbackAnswer {
    const [, resource = '', id] = /^\/v1\/(checkout\/sessions|[a-z_]+)(?:\/(.+))?$/s.exec(path) ?? [];
    return id === undefined ? this.#list(resource, query) : this.#retrieve(resource, id, query);
  }

  #retrieve(resource: string, id: string, query: URLSearchParams): LoopbackAnswer {
    if (resource === 'payment_intents') {
      const intent = this.paymentIntents.get(id);
      if (!intent) return unknown(id);
      const charge = this.charges.get(intent.latest_charge ?? '');
      return ok(expands(query, 'latest_charge') && charge ? { ...intent, latest_charge: charge } : intent);
    }
    const found = { subscriptions: this.subscriptions, invoices: this.invoices, charges: this.charges }[resource]?.get(
      id,
    );
    return found ? ok(without(found, 'payments')) : unknown(id);
  }

  #list(resource: string, query: URLSearchParams): LoopbackAnswer {
    const is = (name: string, value: unknown) => !query.has(name) || query.get(name) === value;
    switch (resource) {
      case 'invoices': {
        const found = [...this.invoices.values()].filter(({ parent }) =>
          is('subscription', parent?.subscription_details?.subscription),
        );
        return page(
          expands(query, 'data.payments') ? found : found.map((invoice) => without(invoice, 'payments')),
          query,
        );
      }
      case 'invoice_payments': {
        const intent = query.get('payment[payment_intent]');
        const all = [...this.invoices.values()].flatMap(({ payments }) => payments?.data ?? []);
        return page(
          all.filter(({ payment }) => payment.payment_intent === intent),
          query,
        );
      }
      case 'subscriptions':
        return page(
          [...this.subscriptions.values()].filter(({ customer }) => is('customer', customer)),
          query,
        );
      case 'charges':
        return page(
          [...this.charges.values()].filter(({ customer }) => is('customer', customer)),
          query,
        );
      case 'refunds':
        return page(
          [...this.refunds.values()].filter(({ charge }) => is('charge', charge)),
          query,
        );
      case 'disputes':
        return page(
          [...this.disputes.values()].filter(({ charge }) => is('charge', charge)),
          query,
        );
      case 'checkout/sessions': {
        const found = [...this.checkouts.values()].filter(
          ({ subscription, payment_intent }) =>
            is('subscription', subscription) && is('payment_intent', payment_intent),
        );
        return page(
          expands(query, 'data.line_items') ? found : found.map((each) => without(each, 'line_items')),
          query,
        );
      }
      default:
        return unknown(resource);
    }
  }
}

const expands = (query: URLSearchParams, field: string): boolean =>
  [...query].some(([name, value]) => /^expand\[\d*\]$/.test(name) && value === field);

function without<T extends object>(object: T, field: string): object {
  return Object.fromEntries(Object.entries(object).filter(([name]) => name !== field));
}

/** A page, newest first, as Stripe cuts them: `limit` objects behind `starting_after`. */
function page(objects: readonly object[], query: URLSearchParams): LoopbackAnswer {
  const newestFirst = [...objects].reverse();
  const after = query.get('starting_after');
  const start = after === null ? 0 : newestFirst.findIndex((object) => 'id' in object && object.id === after) + 1;
  const end = start + Number(query.get('limit') ?? 10);
  return ok({ object: 'list', data: newestFirst.slice(start, end), has_more: end < newestFirst.length, url: '/v1' });
}
