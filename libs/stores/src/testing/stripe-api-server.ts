import { type LoopbackAnswer, LoopbackServer } from './loopback-server.ts';
import type {
  StripeChargeObject,
  StripeCheckoutObject,
  StripeCreditNoteObject,
  StripeDiscountObject,
  StripeDisputeObject,
  StripeInvoiceObject,
  StripePaymentIntentObject,
  StripeRefundObject,
  StripeSubscriptionObject,
} from './stripe-objects.ts';
import { StoreApiServer } from './store-api-server.ts';
import { stripeAnswer, type StripeObjects } from './stripe-answer.ts';
import type { StripeEventObject } from './stripe-webhook.ts';

const refused: LoopbackAnswer = {
  status: 401,
  body: { error: { type: 'invalid_request_error', message: 'Invalid API Key provided' } },
};

/** Stripe's API for one account on loopback, as far as it is used. Objects are kept by id, newest last. */
export class StripeApiServer extends StoreApiServer implements StripeObjects {
  readonly subscriptions = new Map<string, StripeSubscriptionObject>();
  readonly invoices = new Map<string, StripeInvoiceObject>();
  readonly charges = new Map<string, StripeChargeObject>();
  readonly refunds = new Map<string, StripeRefundObject>();
  readonly disputes = new Map<string, StripeDisputeObject>();
  readonly creditNotes = new Map<string, StripeCreditNoteObject>();
  readonly paymentIntents = new Map<string, StripePaymentIntentObject>();
  readonly checkouts = new Map<string, StripeCheckoutObject>();
  readonly events = new Map<string, StripeEventObject>();
  readonly customerDiscounts = new Map<string, StripeDiscountObject>();
  readonly deletedCustomers = new Set<string>();

  private constructor(http: LoopbackServer) {
    super(http);
  }

  /** @param apiKey the one key that is answered */
  static async start(apiKey: string): Promise<StripeApiServer> {
    const http = await LoopbackServer.start((request) =>
      request.authorization === `Bearer ${apiKey}` ? stripeAnswer(server, request) : refused,
    );
    const server = new StripeApiServer(http);
    return server;
  }
}
