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
  if (subject.kind === 'payment') return observeStripePayment(api, subject.id, observedAt);
  if (subject.paymentIntent === null) return null;
  const invoiceId = await api.invoicePaidBy(subject.paymentIntent);
  if (invoiceId === null) return observeStripePayment(api, subject.paymentIntent, observedAt);
  const { parent, subscription } = await api.invoice(invoiceId);
  const subscriptionId = parent?.subscription_details?.subscription ?? subscription;
  if (subscriptionId) return observeStripeSubscription(api, subscriptionId, { observedAt, chargeId: subject.id });
  return observeStripePayment(api, subject.paymentIntent, observedAt); // a checkout can make an invoice of its payment
}
