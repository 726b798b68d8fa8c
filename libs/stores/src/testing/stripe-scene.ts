import { ManualClock } from '@paywright/platform';
import { StoreFault } from '../store-fault.ts';
import type { StripeObservation } from '../stripe/observe-stripe.ts';
import { type StripeStore, stripeStore } from '../stripe/stripe-store.ts';
import type { StripeSubject } from '../stripe/stripe-webhook.ts';
import { secretsIn } from './secrets-in.ts';
import { StripeApiServer } from './stripe-api-server.ts';
import type { StripeChargeObject, StripeInvoiceObject, StripeSubscriptionObject } from './stripe-objects.ts';
import { stripeCharge, stripeInvoice, stripeSubscription } from './stripe-purchases.ts';

export const now = Date.UTC(2026, 10, 20, 12);
export const day = 86_400_000;
const apiKey = 'sk_live_51Example';
/** The price and the period that are sold, unless a test says otherwise. */
export const period = { productId: 'prod_1', priceId: 'price_1', startsAt: now - day, endsAt: now + 29 * day };
export const usd = { amount: 999, currency: 'usd' };
export const subject: StripeSubject = { kind: 'subscription', id: 'sub_1' };

/** Stripe on loopback, and the store that talks to it; for this lib's own tests. */
export class StripeScene {
  readonly stripe: StripeApiServer;

  private constructor(stripe: StripeApiServer) {
    this.stripe = stripe;
  }

  static async start(): Promise<StripeScene> {
    await import('../stripe/open-stripe-store.ts'); // loaded beforehand, it takes nothing of a test's short times
    return new StripeScene(await StripeApiServer.start(apiKey));
  }

  stop(): Promise<void> {
    return this.stripe.stop();
  }

  /** The store, each call of which has `timeoutMs` for all that it asks. */
  store(timeoutMs = 5000, key = apiKey) {
    const store: StripeStore = stripeStore(key, { baseUrl: this.stripe.url, timeoutMs, clock: new ManualClock(now) });
    return {
      observe: (about: StripeSubject) => store.observe(about, AbortSignal.timeout(timeoutMs)),
      checkCredentials: () => store.checkCredentials(AbortSignal.timeout(timeoutMs)),
    };
  }

  async observe(about: StripeSubject = subject): Promise<StripeObservation['observation'] | undefined> {
    return (await this.store().observe(about))?.observation;
  }

  /** `sub_1` of `cus_1`, as it stands from now on. */
  subscribed(changes: Partial<StripeSubscriptionObject> = {}): void {
    this.stripe.subscriptions.set('sub_1', stripeSubscription('sub_1', 'cus_1', period, changes));
  }

  /** An invoice of `sub_1`. */
  invoiced(
    id: string,
    changes: Partial<StripeInvoiceObject> = {},
    of: Partial<typeof period> = {},
    amount = usd,
  ): void {
    this.stripe.invoices.set(id, stripeInvoice(id, 'sub_1', { ...period, ...of }, amount, changes));
  }

  /** The charge that paid an invoice. */
  charged(id: string, invoice: string, refunded = 0, changes: Partial<StripeChargeObject> = {}): void {
    const of = { ...usd, customer: 'cus_1', paymentIntent: `pi_${invoice}`, refunded, at: now };
    this.stripe.charges.set(id, stripeCharge(id, of, changes));
  }

  /** What the promise is refused with; `leaks` if that shows a secret, a header or an answer. */
  async faultOf(promise: Promise<unknown>): Promise<string> {
    const error: unknown = await promise.then(
      () => null,
      (thrown: unknown) => thrown,
    );
    const leaks = secretsIn(error, [apiKey, 'sk_live', 'Bearer', 'Sign in', 'sub_1', this.stripe.url]);
    if (leaks.length > 0) return `leaks ${leaks.join(', ')}`;
    return error instanceof StoreFault ? error.kind : 'no store fault';
  }
}
