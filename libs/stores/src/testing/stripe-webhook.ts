import Stripe from 'stripe';

/** An event as its webhook brings it. */
export interface StripeEventObject {
  readonly id: string;
  readonly object: 'event';
  readonly type: string;
  readonly livemode: boolean;
  /** Seconds since the epoch. */
  readonly created: number;
  readonly data: { readonly object: object };
}

/**
 * The body of an event's webhook, and the header that signs it.
 * @param now milliseconds since the epoch: the signature's stamp
 */
export function stripeWebhook(
  event: StripeEventObject,
  secret: string,
  now: number,
): { raw: Buffer; signature: string } {
  const payload = JSON.stringify(event, null, 2);
  return { raw: Buffer.from(payload), signature: stripeSignature(payload, secret, now) };
}

/** The header that signs a webhook's body. @param now milliseconds since the epoch: its stamp */
export const stripeSignature = (payload: string, secret: string, now: number): string =>
  Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp: Math.floor(now / 1000) });
