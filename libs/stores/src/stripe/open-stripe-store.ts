import { checkStripeCredentials } from './check-stripe-credentials.ts';
import { observeStripePayment, observeStripeSubscription, type StripeObservation } from './observe-stripe.ts';
import { type StripeApi, stripeApi, stripeClient } from './stripe-api.ts';
import type { StripeStore, StripeStoreOptions } from './stripe-store.ts';
import type { StripeSubject } from './stripe-webhook.ts';

/** Stripe for one app, with the library that it takes: see stripeStore. */
export function openStripeStore(apiKey: string, { clock, ...options }: StripeStoreOptions): StripeStore {
  const client = stripeClient(apiKey, options);
  return {
    observe: (subject, signal) => observe(stripeApi(client, signal), subject, clock.now()),
    checkCredentials: (signal) => checkStripeCredentials(client, signal),
  };
}

async function observe(api: StripeApi, subject: StripeSubject, observedAt: number): Promise<StripeObservation | null> {
  if (subject.kind === 'subscription') return observeStripeSubscription(api, subject.id, { observedAt });
  const paymentIntent = subject.kind === 'payment' ? subject.id : subject.paymentIntent;
  if (paymentIntent === null) return null;
  const subscriptionId = await subscriptionPaidBy(api, paymentIntent);
  if (subscriptionId === null) return observeStripePayment(api, paymentIntent, observedAt);
  const chargeId = subject.kind === 'charge' ? subject.id : undefined;
  return observeStripeSubscription(api, subscriptionId, { observedAt, chargeId });
}

/** null also where a checkout made an invoice of its payment. */
async function subscriptionPaidBy(api: StripeApi, paymentIntent: string): Promise<string | null> {
  const invoiceId = await api.invoicePaidBy(paymentIntent);
  if (invoiceId === null) return null;
  const { parent, subscription } = await api.invoice(invoiceId);
  return parent?.subscription_details?.subscription ?? subscription ?? null;
}
