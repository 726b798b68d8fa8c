import type { LoopbackAnswer } from './loopback-server.ts';
import type { StripeEventObject } from './stripe-webhook.ts';
import type {
  StripeChargeObject,
  StripeCheckoutObject,
  StripeCreditNoteObject,
  StripeDiscountObject,
  StripeDisputeObject,
  StripeInvoiceObject,
  StripeItemObject,
  StripePaymentIntentObject,
  StripePhaseObject,
  StripeRefundObject,
  StripeSubscriptionObject,
} from './stripe-objects.ts';

/** The objects of an account, by id, newest last. */
export interface StripeObjects {
  readonly subscriptions: ReadonlyMap<string, StripeSubscriptionObject>;
  readonly invoices: ReadonlyMap<string, StripeInvoiceObject>;
  readonly charges: ReadonlyMap<string, StripeChargeObject>;
  readonly refunds: ReadonlyMap<string, StripeRefundObject>;
  readonly disputes: ReadonlyMap<string, StripeDisputeObject>;
  readonly creditNotes: ReadonlyMap<string, StripeCreditNoteObject>;
  readonly paymentIntents: ReadonlyMap<string, StripePaymentIntentObject>;
  readonly checkouts: ReadonlyMap<string, StripeCheckoutObject>;
  readonly events: ReadonlyMap<string, StripeEventObject>;
  /** By the id of the customer. */
  readonly customerDiscounts: ReadonlyMap<string, StripeDiscountObject>;
  /** Ids of customers that are gone. */
  readonly deletedCustomers: ReadonlySet<string>;
}

export interface StripeQuestion {
  /** Decoded, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
}

const ok = (body: object): LoopbackAnswer => ({ status: 200, body });
const unknown = (id: string): LoopbackAnswer => ({
  status: 404,
  body: { error: { type: 'invalid_request_error', code: 'resource_missing', message: `No such object: '${id}'` } },
});
/** What Stripe answers about an account that has these objects. @param request rightly authorized */
export function stripeAnswer(objects: StripeObjects, { path, query }: StripeQuestion): LoopbackAnswer {
  const [, resource = '', id, rows] =
    /^\/v1\/(checkout\/sessions|[a-z_]+)(?:\/(.+?)(?:\/(lines|line_items))?)?$/s.exec(path) ?? [];
  if (id === undefined) return list(objects, resource, query);
  return rows === undefined ? retrieve(objects, resource, id, query) : listRows(objects, id, rows, query);
}

/** What an object holds several of, all of it. */
function listRows(
  { invoices, creditNotes, checkouts }: StripeObjects,
  id: string,
  rows: string,
  query: URLSearchParams,
) {
  const held = rows === 'lines' ? (creditNotes.get(id) ?? invoices.get(id))?.lines : checkouts.get(id)?.line_items;
  return held
    ? page(
        held.data.map((row, index) => ({ id: `row_${index}`, ...row })),
        query,
      )
    : unknown(id);
}

function retrieve(objects: StripeObjects, resource: string, id: string, query: URLSearchParams): LoopbackAnswer {
  if (resource === 'payment_intents') {
    const intent = objects.paymentIntents.get(id);
    if (!intent) return unknown(id);
    const charge = objects.charges.get(intent.latest_charge ?? '');
    const latest = charge && settled(charge, expands(query, 'latest_charge.balance_transaction'));
    return ok(latest && expands(query, 'latest_charge') ? { ...intent, latest_charge: latest } : intent);
  }
  if (resource === 'checkout/sessions') return checkout(objects, id, query);
  const charge = resource === 'charges' ? objects.charges.get(id) : undefined;
  if (charge) return ok(settled(charge, expands(query, 'balance_transaction')));
  const subscription = resource === 'subscriptions' ? objects.subscriptions.get(id) : undefined;
  if (subscription) {
    const answer = unscheduled(withPrices(subscription, expands(query, 'items.data.price.currency_options')));
    return ok(expands(query, 'customer') ? { ...answer, customer: customerOf(objects, subscription) } : answer);
  }
  if (resource === 'subscription_schedules') return schedule(objects, id, query);
  const invoice = resource === 'invoices' ? objects.invoices.get(id) : undefined;
  return invoice ? ok(shown(without(invoice, 'payments'))) : unknown(id);
}

function checkout({ checkouts }: StripeObjects, id: string, query: URLSearchParams): LoopbackAnswer {
  const found = checkouts.get(id);
  if (!found) return unknown(id);
  return ok(shown(expands(query, 'line_items') ? found : without(found, 'line_items')));
}

function schedule({ subscriptions }: StripeObjects, id: string, query: URLSearchParams): LoopbackAnswer {
  const found = [...subscriptions.values()].find((each) => each.schedule?.id === id)?.schedule;
  if (!found) return unknown(id);
  const isWhole = expands(query, 'phases.items.price.currency_options');
  const isExpanded = isWhole || expands(query, 'phases.items.price');
  const shownItem = (item: StripePhaseObject['items'][number]) =>
    isExpanded ? withPrice(item, isWhole) : { ...item, price: item.price.id };
  return ok({ ...found, phases: found.phases.map((phase) => ({ ...phase, items: phase.items.map(shownItem) })) });
}

function list(objects: StripeObjects, resource: string, query: URLSearchParams): LoopbackAnswer {
  const is = (name: string, value: unknown) => !query.has(name) || query.get(name) === value;
  const withSettlement = (object: StripeChargeObject | StripeRefundObject) =>
    settled(object, expands(query, 'data.balance_transaction'));
  switch (resource) {
    case 'invoices': {
      const found = [...objects.invoices.values()].filter(({ parent }) =>
        is('subscription', parent?.subscription_details?.subscription),
      );
      return newestOf(
        (expands(query, 'data.payments') ? found : found.map((invoice) => without(invoice, 'payments'))).map(shown),
        query,
      );
    }
    case 'invoice_payments': {
      const intent = query.get('payment[payment_intent]');
      const all = [...objects.invoices.values()].flatMap(({ payments }) => payments?.data ?? []);
      return newestOf(
        all.filter(
          ({ invoice, payment }) => is('invoice', invoice) && (intent === null || payment.payment_intent === intent),
        ),
        query,
      );
    }
    case 'subscription_items':
      return page(
        (objects.subscriptions.get(query.get('subscription') ?? '')?.items.data ?? []).map((item) =>
          withPrice(item, expands(query, 'data.price.currency_options')),
        ),
        query,
      );
    case 'subscriptions':
      return newestOf(
        [...objects.subscriptions.values()]
          .filter(
            ({ customer, status }) =>
              is('customer', customer) && (status !== 'canceled' || query.get('status') === 'all'),
          )
          .map(unscheduled),
        query,
      );
    case 'charges':
      return newestOf(
        [...objects.charges.values()].filter(({ customer }) => is('customer', customer)).map(withSettlement),
        query,
      );
    case 'refunds':
      return newestOf(
        [...objects.refunds.values()].filter(({ charge }) => is('charge', charge)).map(withSettlement),
        query,
      );
    case 'credit_notes':
      return newestOf(
        [...objects.creditNotes.values()].filter(({ invoice }) => is('invoice', invoice)).map(shown),
        query,
      );
    case 'disputes':
      return newestOf(
        [...objects.disputes.values()].filter(({ charge }) => is('charge', charge)),
        query,
      );
    case 'checkout/sessions': {
      const found = [...objects.checkouts.values()].filter(
        ({ subscription, payment_intent }) => is('subscription', subscription) && is('payment_intent', payment_intent),
      );
      return newestOf(
        (expands(query, 'data.line_items') ? found : found.map((each) => without(each, 'line_items'))).map(shown),
        query,
      );
    }
    case 'events':
      return newestOf(
        [...objects.events.values()].filter((event) => isAskedFor(event, query)),
        query,
      );
    default:
      return unknown(resource);
  }
}

function isAskedFor({ type, created }: StripeEventObject, query: URLSearchParams): boolean {
  const types = [...query].flatMap(([name, value]) => (/^types\[\d*\]$/.test(name) ? value : []));
  const [from, to] = [Number(query.get('created[gte]') ?? 0), Number(query.get('created[lte]') ?? Infinity)];
  return from <= created && created <= to && (types.length === 0 || types.includes(type));
}

const expands = (query: URLSearchParams, field: string): boolean =>
  [...query].some(([name, value]) => /^expand\[\d*\]$/.test(name) && value === field);

const customerOf = (
  { customerDiscounts, deletedCustomers }: StripeObjects,
  { customer: id }: StripeSubscriptionObject,
): object =>
  deletedCustomers.has(id)
    ? { id, object: 'customer', deleted: true }
    : { id, object: 'customer', discount: customerDiscounts.get(id) ?? null };

/** What a price is in other currencies is told only when asked for. */
const withPrice = <Item extends Pick<StripeItemObject, 'price'>>(item: Item, isExpanded: boolean): object =>
  isExpanded ? item : { ...item, price: without(item.price, 'currency_options') };
const withPrices = ({ items, ...object }: StripeSubscriptionObject, isExpanded: boolean) => ({
  ...object,
  items: { data: items.data.map((item) => withPrice(item, isExpanded)) },
});

/** As Stripe shows a subscription: its schedule is told by its id. */
const unscheduled = (object: Pick<StripeSubscriptionObject, 'schedule'>): object =>
  shown({ ...object, schedule: object.schedule?.id ?? null });

const settled = (object: StripeChargeObject | StripeRefundObject, isExpanded: boolean): object =>
  isExpanded ? object : stripeUnexpanded(object);

/** As Stripe shows a charge or refund unless asked for more: what it took is told by its id. */
export const stripeUnexpanded = (object: StripeChargeObject | StripeRefundObject): object => ({
  ...object,
  balance_transaction: object.balance_transaction?.id ?? null,
});

function without<T extends object>(object: T, field: string): object {
  return Object.fromEntries(Object.entries(object).filter(([name]) => name !== field));
}

/** As it stands within an answer: of what it holds several of, the first ten. */
const shown = (object: object): object =>
  Object.fromEntries(
    Object.entries(object).map(([field, value]: [string, unknown]) => [field, isList(value) ? cut(value.data) : value]),
  );

const isList = (value: unknown): value is { data: readonly object[] } =>
  typeof value === 'object' && value !== null && 'data' in value && Array.isArray(value.data);

const cut = (objects: readonly object[], start = 0, limit = 10): object => {
  const end = start + limit;
  return { object: 'list', data: objects.slice(start, end), has_more: end < objects.length, url: '/v1' };
};

const newestOf = (objects: readonly object[], query: URLSearchParams): LoopbackAnswer =>
  page([...objects].reverse(), query);

/** A page as Stripe cuts them: `limit` objects behind `starting_after`. */
function page(objects: readonly object[], query: URLSearchParams): LoopbackAnswer {
  const after = query.get('starting_after');
  const start = after === null ? 0 : objects.findIndex((object) => 'id' in object && object.id === after) + 1;
  return ok(cut(objects, start, Number(query.get('limit') ?? 10)));
}
