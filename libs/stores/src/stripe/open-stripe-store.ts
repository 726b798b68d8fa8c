import { checkStripeCredentials } from './check-stripe-credentials.ts';
import {
  observeFreeCheckout,
  observeStripePayment,
  observeStripeSubscription,
  type StripeObservation,
} from './observe-stripe.ts';
import type { StripeInvoice } from './stripe-answers.ts';
import { type StripeApi, stripeApi, stripeClient } from './stripe-api.ts';
import { readStripeEvents } from './stripe-event-history.ts';
import type { StripeStore, StripeStoreOptions } from './stripe-store.ts';
import type { StripeSubject } from './stripe-webhook.ts';

/** Stripe for one app, with the library that it takes: see stripeStore. */
export function openStripeStore(apiKey: string, { clock, ...options }: StripeStoreOptions): StripeStore {
  const client = stripeClient(apiKey, options);
  return {
    observe: (subject, signal) => observe(stripeApi(client, signal), subject, clock.now()),
    eventHistory: (wanted, signal) => readStripeEvents(client, wanted, signal),
    checkCredentials: (signal) => checkStripeCredentials(client, signal),
  };
}

async function observe(api: StripeApi, subject: StripeSubject, observedAt: number): Promise<StripeObservation | null> {
  if (subject.kind === 'subscription')
    return observeStripeSubscription(api, subject.id, { observedAt, chargeId: subject.chargeId });
  if (subject.kind === 'customer') return observeFirst(api, await api.subscriptionsOf(subject.id), { observedAt });
  if (subject.kind === 'charge')
    return subject.paymentIntent === null
      ? null
      : observePayment(api, subject.paymentIntent, { observedAt, chargeId: subject.id });
  if (isCheckout(subject.id)) return observeFreeCheckout(api, subject.id, observedAt);
  return isInvoice(subject.id)
    ? observeInvoice(api, subject.id, observedAt)
    : observePayment(api, subject.id, { observedAt });
}

type ObservedBy = Parameters<typeof observeStripeSubscription>[2];

async function observePayment(
  api: StripeApi,
  paymentIntent: string,
  by: ObservedBy,
  known: readonly StripeInvoice[] = [],
): Promise<StripeObservation | null> {
  const invoices = await invoicesPaidBy(api, paymentIntent, known);
  const observed = await observeFirst(api, subscriptionsOf(invoices), by);
  return observed ?? observeStripePayment(api, paymentIntent, { observedAt: by.observedAt, invoices });
}

/** What a credit note gave something back of. */
async function observeInvoice(api: StripeApi, id: string, observedAt: number): Promise<StripeObservation | null> {
  const invoice = await api.invoice(id);
  const ofSubscription = await observeFirst(api, subscriptionsOf([invoice]), { observedAt });
  if (ofSubscription) return ofSubscription;
  for (const { payment } of await api.paymentsOf(id)) {
    const { payment_intent: intent } = payment;
    const observed = intent ? await observePayment(api, intent, { observedAt }, [invoice]) : null;
    if (observed) return observed;
  }
  return null;
}

/** What cost nothing has its checkout in place of a payment. */
const isCheckout = (id: string): boolean => id.startsWith('cs_');
const isInvoice = (id: string): boolean => id.startsWith('in_');

/** The first of the subscriptions; null if there is none. */
async function observeFirst(
  api: StripeApi,
  [first, ...others]: readonly string[],
  by: ObservedBy,
): Promise<StripeObservation | null> {
  return first === undefined ? null : { ...(await observeStripeSubscription(api, first, by)), others };
}

async function invoicesPaidBy(
  api: StripeApi,
  paymentIntent: string,
  known: readonly StripeInvoice[],
): Promise<readonly StripeInvoice[]> {
  const paid = new Set((await api.paymentsBy(paymentIntent)).map(({ invoice }) => invoice));
  return Promise.all(
    [...paid].map(async (id) => known.find((invoice) => invoice.id === id) ?? (await api.invoice(id))),
  );
}

/** None also where a checkout made an invoice of its payment. */
function subscriptionsOf(invoices: readonly StripeInvoice[]): readonly string[] {
  const found = invoices.map(({ parent, subscription }) => parent?.subscription_details?.subscription ?? subscription);
  return [...new Set(found.filter((id) => id != null))];
}
