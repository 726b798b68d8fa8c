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
  const paymentIntent = subject.kind === 'payment' ? subject.id : subject.paymentIntent;
  if (paymentIntent === null) return null;
  if (isCheckout(paymentIntent)) return observeFreeCheckout(api, paymentIntent, observedAt);
  const invoices = await invoicesPaidBy(api, paymentIntent);
  const subscriptionIds = subscriptionsOf(invoices);
  const chargeId = subject.kind === 'charge' ? subject.id : undefined;
  const observed = await observeFirst(api, subscriptionIds, { observedAt, chargeId });
  return observed ?? observeStripePayment(api, paymentIntent, { observedAt, invoices });
}

/** What cost nothing has its checkout in place of a payment. */
const isCheckout = (id: string): boolean => id.startsWith('cs_');

/** The first of the subscriptions; null if there is none. */
async function observeFirst(
  api: StripeApi,
  [first, ...others]: readonly string[],
  by: Parameters<typeof observeStripeSubscription>[2],
): Promise<StripeObservation | null> {
  return first === undefined ? null : { ...(await observeStripeSubscription(api, first, by)), others };
}

async function invoicesPaidBy(api: StripeApi, paymentIntent: string): Promise<readonly StripeInvoice[]> {
  const paid = new Set((await api.paymentsBy(paymentIntent)).map(({ invoice }) => invoice));
  return Promise.all([...paid].map((id) => api.invoice(id)));
}

/** None also where a checkout made an invoice of its payment. */
function subscriptionsOf(invoices: readonly StripeInvoice[]): readonly string[] {
  const found = invoices.map(({ parent, subscription }) => parent?.subscription_details?.subscription ?? subscription);
  return [...new Set(found.filter((id) => id != null))];
}
