import { randomUUID } from 'node:crypto';
import { StripeApiServer, stripeInvoice, stripeSubscription, stripeWebhook } from '@paywright/stores/testing';
import type { Buyer, Post, Seller, Sold } from './buying.ts';

const day = 86_400_000;
const apiKey = 'sk_live_faults';
const webhookSecret = 'whsec_faults';
const price = { productId: 'prod_pro', priceId: 'price_pro' };
const months = [0, 1, 2];

/** A Stripe that sells a subscription on the web, for a profile that the app names, and tells what becomes of it. */
export class SellingStripe implements Seller {
  readonly credentials = { apiKey, webhookSecrets: [webhookSecret] };
  readonly #api: StripeApiServer;
  #lastId = 0;

  private constructor(api: StripeApiServer) {
    this.#api = api;
  }

  static async start(): Promise<SellingStripe> {
    return new SellingStripe(await StripeApiServer.start(apiKey));
  }

  /** What the services are told of it. */
  get environment(): NodeJS.ProcessEnv {
    return { STRIPE_API_BASE: this.#api.url };
  }

  /** Three months: no client validates, and Stripe tells of each of them, of the first one twice. */
  subscribe({ profileId, appId }: Buyer): Sold {
    const number = ++this.#lastId;
    const invoiceIds = months.map((month) => `in_${number}_${month}`);
    const paid = (month: number) => () => Promise.resolve(this.#paid(number, month, { profileId, appId }));
    return { transactionIds: invoiceIds, rounds: months.map(paid) };
  }

  stop(): Promise<void> {
    return this.#api.stop();
  }

  /** The first month began ten days ago. */
  #paid(number: number, month: number, { profileId, appId }: Pick<Buyer, 'profileId' | 'appId'>): readonly Post[] {
    const [id, customer, invoiceId] = [`sub_${number}`, `cus_${number}`, `in_${number}_${month}`];
    const startsAt = Date.now() - 10 * day + month * 30 * day;
    const period = { ...price, startsAt, endsAt: startsAt + 30 * day };
    const subscription = stripeSubscription(id, customer, period, { metadata: { profileId } });
    const invoice = stripeInvoice(invoiceId, id, period, { amount: 999, currency: 'usd' });
    this.#api.subscriptions.set(id, subscription);
    this.#api.invoices.set(invoiceId, invoice);
    const post = (type: string, object: object): Post => {
      const now = Date.now();
      const created = Math.floor(now / 1000);
      const about = { type, livemode: true, created, data: { object } };
      const event = { id: `evt_${randomUUID()}`, object: 'event' as const, ...about };
      const { raw, signature } = stripeWebhook(event, webhookSecret, now);
      return {
        path: `/notifications/${appId}/stripe`,
        body: raw.toString(),
        headers: { 'stripe-signature': signature },
      };
    };
    const invoicePaid = post('invoice.paid', invoice);
    const begun = [post('customer.subscription.created', subscription), invoicePaid, invoicePaid];
    return month === 0 ? begun : [invoicePaid];
  }
}
