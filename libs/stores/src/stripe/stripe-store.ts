import type { Clock } from '@paywright/platform';
import type { CredentialsCheck } from '../app-store/check-credentials.ts';
import type { StripeObservation } from './observe-stripe.ts';
import type { StripeApiOptions } from './stripe-api.ts';
import type { StripeEventHistory, StripeEventPage } from './stripe-event-history.ts';
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
   * @throws StoreFault not-found, unavailable; pending: a payment that is authorized, and not captured yet
   */
  observe(subject: StripeSubject, signal: AbortSignal): Promise<StripeObservation | null>;
  /**
   * A page of the events that Stripe made in a time, whether their webhooks arrived or not.
   * @throws StoreFault 'not-configured' (the key may not read events), 'unavailable'
   */
  eventHistory(wanted: StripeEventPage, signal: AbortSignal): Promise<StripeEventHistory>;
  /** Whether Stripe takes the key, and in one sentence what is wrong. Never throws. */
  checkCredentials(signal: AbortSignal): Promise<CredentialsCheck>;
}

/**
 * Stripe for one app. Keep it while the credentials stay: it holds the connections. Stripe's library, which takes
 * 30 MB, is loaded with the first call.
 */
export function stripeStore(apiKey: string, options: StripeStoreOptions): StripeStore {
  let opened: Promise<StripeStore> | undefined;
  const open = () =>
    (opened ??= import('./open-stripe-store.ts').then((library) => library.openStripeStore(apiKey, options)));
  return {
    observe: async (...call) => (await open()).observe(...call),
    eventHistory: async (...call) => (await open()).eventHistory(...call),
    checkCredentials: async (...call) => (await open()).checkCredentials(...call),
  };
}
