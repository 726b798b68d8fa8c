import { stripeSignature, stripeUnexpanded } from '@paywright/stores/testing';
import type { Headers } from '../delivery/delivery.ts';
import type { WrittenNotification } from '../delivery/notification.ts';
import type { News, Purchase } from '../domain/purchase.ts';
import { lettersFromName } from '../state/ids.ts';
import {
  chargeObject,
  checkoutObject,
  disputeObject,
  invoiceObject,
  openInvoiceObject,
  refundObjects,
  subscriptionObject,
} from './stripe-objects.ts';

interface StripeEvent {
  readonly type: string;
  readonly object: object;
}

/** The news as Stripe's events, in the order in which they are sent. */
export function writeStripeNotifications(news: News, purchase: Purchase): WrittenNotification[] {
  return eventsOf(news, purchase).map(({ type, object }, index) => {
    const id = `evt_${lettersFromName(`${purchase.id}/${news.ordinal}/${index}`)}`;
    const livemode = purchase.environment === 'production';
    const event = { id, object: 'event', type, livemode, created: Math.floor(news.at / 1000), data: { object } };
    return { id, label: type, body: JSON.stringify(event, null, 2) };
  });
}

function eventsOf({ type, period: number }: News, purchase: Purchase): StripeEvent[] {
  const period = purchase.periods[number];
  if (period === undefined) return [];
  if (type === 'refunded') return ofPayment('charge.refunded', chargeObject(purchase, period));
  if (type === 'refund-reversed') return ofPayment('refund.failed', refundObjects(purchase, period).at(-1) ?? null);
  if (type === 'disputed') return of('charge.dispute.created', disputeObject(purchase, period));
  if (type === 'dispute-closed') return of('charge.dispute.closed', disputeObject(purchase, period));
  if (purchase.kind === 'one-time') return of('checkout.session.completed', checkoutObject(purchase));
  const { schedule, ...subscribed } = subscriptionObject(purchase);
  const told = { ...subscribed, schedule: schedule?.id ?? null };
  const subscription = (word: string) => of(`customer.subscription.${word}`, told);
  const paid = () => of('invoice.paid', invoiceObject(purchase, period));
  switch (type) {
    case 'bought':
      return [...subscription('created'), ...paid()];
    case 'renewed':
    case 'recovered':
    case 'upgraded':
      return [...subscription('updated'), ...paid()];
    case 'resumed':
      return [...subscription('resumed'), ...paid()];
    case 'billing-failed':
      return [...of('invoice.payment_failed', openInvoiceObject(purchase)), ...subscription('updated')];
    case 'part-paid':
      return of('invoice.updated', openInvoiceObject(purchase));
    case 'paused':
      return subscription('paused');
    case 'ended':
      return subscription('deleted');
    default:
      return subscription('updated');
  }
}

const of = (type: string, object: object | null): StripeEvent[] => (object === null ? [] : [{ type, object }]);
const ofPayment = (type: string, object: Parameters<typeof stripeUnexpanded>[0] | null): StripeEvent[] =>
  of(type, object && stripeUnexpanded(object));

/** The signature, stamped when it is sent. */
export const stripeHeaders: Headers = async ({ body }, { stripe }, now) => ({
  'stripe-signature': stripeSignature(body, stripe.webhookSecret, now),
});
