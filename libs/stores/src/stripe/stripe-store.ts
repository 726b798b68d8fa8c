import type { Clock } from '@paywright/platform';
import type { CredentialsCheck } from '../app-store/check-credentials.ts';
import { checkStripeCredentials } from './check-stripe-credentials.ts';
import { observeStripePayment, observeStripeSubscription, type StripeObservation } from './observe-stripe.ts';
import { type StripeApi, stripeApi, type StripeApiOptions, stripeClient } from './stripe-api.ts';
import type { StripeSubject } from './stripe-webhook.ts';

export interface StripeStoreOptions extends StripeApiOptions {
  /** The service's clock: it stamps what is observed. */
  readonly clock: Clock;
}

/** Stripe for one app. What is asked of it ends with 'unavailable' as soon as the signal aborts. */
export interface StripeStore {
  /**
   * What an event speaks of, as it stands now.
   * @returns null if it is nothing that was bought: a payment without invoice and checkout, or not yet paid
   * @throws StoreFault not-found, unavailable
   */
  observe(subject: StripeSubject, signal: AbortSignal): Promise<StripeObservation | null>;
  /** Whether Stripe takes the key, and in one sentence what is wrong. Never throws. */
  checkCredentials(signal: AbortSignal): Promise<CredentialsCheck>;
}

/** Stripe for one app. Keep it while the credentials stay: it holds the connections. */
export function stripeStore(apiKey: string, { clock, ...options }: StripeStoreOptions): StripeStore {
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
  return subscriptionId ? observeStripeSubscription(api, subscriptionId, { observedAt, chargeId: subject.id }) : null;
}
