import Stripe from 'stripe';
import { z } from 'zod';
import { readAnswer } from '../store-answer.ts';
import { askedTooMuch, StoreFault } from '../store-fault.ts';
import { untilAborted } from '../until-aborted.ts';
import {
  StripeCharge,
  StripeCheckoutLines,
  StripeCheckoutOrder,
  StripeCheckoutSession,
  StripeCreditNote,
  StripeCreditNoteLines,
  StripeDispute,
  StripeInvoice,
  StripeInvoiceLines,
  type StripeInvoicePayment,
  StripeItems,
  StripePaymentIntent,
  StripePayments,
  StripeRefund,
  StripeSchedule,
  type StripeSubscription,
  StripeSubscriptionAnswer,
} from './stripe-answers.ts';

export interface StripeApiOptions {
  /** `https://api.stripe.com`, or what stands in for it. */
  readonly baseUrl: string;
  /** For one call. */
  readonly timeoutMs: number;
}

/** The calls that we make on Stripe, for one app. Every one throws `StoreFault` and nothing else. */
export interface StripeApi {
  subscription(id: string): Promise<StripeSubscription>;
  /** Ids of those that a customer has or had. */
  subscriptionsOf(customer: string): Promise<string[]>;
  /** Of a subscription, newest first, with what paid them. */
  invoices(subscription: string): Promise<StripeInvoice[]>;
  invoice(id: string): Promise<StripeInvoice>;
  /** What a payment intent was to pay, of all invoices; none where it was for none. */
  paymentsBy(paymentIntent: string): Promise<StripeInvoicePayment[]>;
  /** What was to pay an invoice. */
  paymentsOf(invoice: string): Promise<StripeInvoicePayment[]>;
  charges(customer: string): Promise<StripeCharge[]>;
  refunds(charge: string): Promise<StripeRefund[]>;
  disputes(charge: string): Promise<StripeDispute[]>;
  /** Of an invoice; none if the key may not see them. */
  creditNotes(invoice: string): Promise<StripeCreditNote[]>;
  paymentIntent(id: string): Promise<StripePaymentIntent>;
  /** A checkout by its own id; null if the key may not see it. */
  checkoutOrder(id: string): Promise<StripeCheckoutOrder | null>;
  /** The checkout that a subscription or payment came of; null if there is none, or the key may not see it. */
  checkout(origin: { subscription: string } | { payment_intent: string }): Promise<StripeCheckoutSession | null>;
}

/** What the library reads page by page. */
interface Pages {
  autoPagingToArray(options: { limit: number }): Promise<unknown[]>;
}

/** More of one kind than any subscription has: the end of what is read. */
const limit = 1000;
const name = 'Stripe';

/** Stripe's library for one key: it neither repeats a call nor sends telemetry. Only the base's host and port count. */
export function stripeClient(apiKey: string, { baseUrl, timeoutMs }: StripeApiOptions): Stripe {
  const { hostname, port, protocol } = new URL(baseUrl);
  const scheme = protocol === 'http:' ? 'http' : 'https';
  return new Stripe(apiKey, {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port || (scheme === 'http' ? 80 : 443),
    protocol: scheme,
    maxNetworkRetries: 0,
    timeout: timeoutMs,
    telemetry: false,
  });
}

/** The calls, all of which end when the signal does: the library's own time-out is one call's. */
export function stripeApi(stripe: Stripe, signal: AbortSignal): StripeApi {
  const one = async <Schema extends z.ZodType>(schema: Schema, call: () => Promise<unknown>) =>
    readAnswer(name, schema, await askStripe(call, signal));
  const all = <Rows extends z.ZodType>(rows: Rows, list: () => Pages) =>
    one(rows, () => list().autoPagingToArray({ limit }));
  /** A list that stands within an object: whole, where Stripe shows no more than its first ten. */
  const whole = async <Rows extends z.ZodType>(
    held: { data: z.output<Rows>; has_more?: boolean | null | undefined },
    rows: Rows,
    list: () => Pages,
  ) => (held.has_more === true ? { data: await all(rows, list) } : held);
  const listPayments = (invoice: string) => stripe.invoicePayments.list({ invoice, limit: 100 });
  const wholeInvoice = async (invoice: StripeInvoice): Promise<StripeInvoice> => {
    const { id, lines, payments } = invoice;
    const [allLines, allPayments] = await Promise.all([
      whole(lines, StripeInvoiceLines, () => stripe.invoices.listLineItems(id, { limit: 100 })),
      payments && whole(payments, StripePayments, () => listPayments(id)),
    ]);
    return { ...invoice, lines: allLines, payments: allPayments };
  };
  const wholeCreditNote = async (note: StripeCreditNote): Promise<StripeCreditNote> => {
    const list = () => stripe.creditNotes.listLineItems(note.id, { limit: 100 });
    return { ...note, lines: await whole(note.lines, StripeCreditNoteLines, list) };
  };
  const wholeCheckout = async <Session extends StripeCheckoutSession>(session: Session): Promise<Session> => {
    const list = () => stripe.checkout.sessions.listLineItems(session.id, { limit: 100 });
    const lines = session.line_items;
    return lines ? { ...session, line_items: await whole(lines, StripeCheckoutLines, list) } : session;
  };
  const scheduleOf = (id: string) =>
    one(StripeSchedule, () =>
      stripe.subscriptionSchedules
        .retrieve(id, { expand: ['phases.items.price.currency_options'] })
        .catch(unreadIfForbidden),
    );

  return {
    subscription: async (id) => {
      const { items, schedule, customer, ...found } = await one(StripeSubscriptionAnswer, () =>
        withIfAllowed(['customer', 'items.data.price.currency_options'], (expand) =>
          stripe.subscriptions.retrieve(id, { expand }),
        ),
      );
      const query = { subscription: id, limit: 100, expand: ['data.price.currency_options'] };
      const list = () => stripe.subscriptionItems.list(query);
      const [allItems, phases] = await Promise.all([
        whole(items, StripeItems, list),
        schedule ? scheduleOf(schedule) : null,
      ]);
      const discounts = found.discounts || customer?.isDiscounted === true;
      return { ...found, discounts, customer: customer?.id ?? null, items: allItems, schedule: phases };
    },
    subscriptionsOf: async (customer) =>
      (
        await all(z.array(z.object({ id: z.string() })), () =>
          stripe.subscriptions.list({ customer, status: 'all', limit: 100 }),
        )
      ).map(({ id }) => id),
    invoices: async (subscription) => {
      const query = { subscription, limit: 100, expand: ['data.payments'] };
      const found = await all(z.array(StripeInvoice), () => stripe.invoices.list(query));
      return Promise.all(found.map(wholeInvoice));
    },
    invoice: async (id) => wholeInvoice(await one(StripeInvoice, () => stripe.invoices.retrieve(id))),
    paymentsBy: (paymentIntent) => {
      const payment = { type: 'payment_intent', payment_intent: paymentIntent } as const;
      return all(StripePayments, () => stripe.invoicePayments.list({ payment, limit: 100 }));
    },
    paymentsOf: (invoice) => all(StripePayments, () => listPayments(invoice)),
    charges: (customer) =>
      one(z.array(StripeCharge), () =>
        withIfAllowed(['data.balance_transaction'], (expand) =>
          stripe.charges.list({ customer, limit: 100, expand }).autoPagingToArray({ limit }),
        ),
      ),
    refunds: (charge) =>
      one(z.array(StripeRefund), () =>
        withIfAllowed(['data.balance_transaction'], (expand) =>
          stripe.refunds.list({ charge, limit: 100, expand }).autoPagingToArray({ limit }),
        ),
      ),
    disputes: (charge) => all(z.array(StripeDispute), () => stripe.disputes.list({ charge, limit: 100 })),
    creditNotes: async (invoice) => {
      const notes = await one(z.array(StripeCreditNote), () =>
        stripe.creditNotes.list({ invoice, limit: 100 }).autoPagingToArray({ limit }).catch(insteadIfForbidden([])),
      );
      return Promise.all(notes.map(wholeCreditNote));
    },
    paymentIntent: (id) =>
      one(StripePaymentIntent, () =>
        withIfAllowed(['latest_charge.balance_transaction'], (expand) =>
          stripe.paymentIntents.retrieve(id, { expand: ['latest_charge', ...expand] }),
        ),
      ),
    checkout: async (origin) => {
      const query = { ...origin, limit: 1, expand: ['data.line_items'] };
      const page = z.object({ data: z.array(StripeCheckoutSession) });
      const list = () => stripe.checkout.sessions.list(query);
      const found = (await one(page, () => list().catch(insteadIfForbidden({ data: [] })))).data[0];
      return found ? wholeCheckout(found) : null;
    },
    checkoutOrder: async (id) => {
      const retrieve = () => stripe.checkout.sessions.retrieve(id, { expand: ['line_items'] });
      const found = await one(StripeCheckoutOrder.nullable(), () => retrieve().catch(insteadIfForbidden(null)));
      return found && wholeCheckout(found);
    },
  };
}

/**
 * What a call on Stripe answers, before the signal aborts.
 * @throws StoreFault not-found, unavailable
 */
export async function askStripe(call: () => Promise<unknown>, signal: AbortSignal): Promise<unknown> {
  try {
    return await untilAborted(call(), signal);
  } catch (error) {
    throw faultOf(error);
  }
}

/**
 * A restricted key need not show checkouts, which mostly help to find the buyer, nor credit notes, which are seldom, nor
 * events, most of which came by webhook.
 */
export const insteadIfForbidden =
  <T>(instead: T) =>
  (error: unknown): T => {
    if (error instanceof Stripe.errors.StripePermissionError) return instead;
    throw error;
  };

/** A restricted key need not show schedules, and one may be gone by now. */
function unreadIfForbidden(error: unknown): 'unread' {
  const isUnread = error instanceof Stripe.errors.StripeError && (error.statusCode === 403 || error.statusCode === 404);
  if (isUnread) return 'unread';
  throw error;
}

/** An answer with what it else only names, if the key may read that: a restricted one need not. @param fields where it is */
function withIfAllowed<T>(fields: string[], call: (expand: string[]) => Promise<T>): Promise<T> {
  return call(fields).catch((error: unknown) => {
    if (error instanceof Stripe.errors.StripePermissionError) return call([]);
    throw error;
  });
}

const stripeRefusal = {
  401: 'Stripe refused the API key.',
  403: 'The API key of Stripe may not read all that is needed: subscriptions, invoices, charges, refunds, disputes.',
} as const;

/** The library's errors carry the request, its key and the answer's headers: nothing of them but the status is kept, and what 429 says. */
function faultOf(error: unknown): StoreFault {
  const status = error instanceof Stripe.errors.StripeError ? error.statusCode : undefined;
  if (error instanceof Stripe.errors.StripeError && status === 429)
    return askedTooMuch(name, error.headers?.['retry-after']);
  if (status === 404) return new StoreFault('not-found', 'Stripe does not know this object.');
  if (status === 401 || status === 403) return new StoreFault('unavailable', stripeRefusal[status]);
  if (status !== undefined) return new StoreFault('unavailable', `Stripe could not answer (status ${status}).`);
  return new StoreFault('unavailable', 'Stripe did not answer in time.');
}
