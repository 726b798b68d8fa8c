/**
 * Those that begin, change or end what was sold: Stripe takes twenty at most. What else a webhook may tell follows from
 * the objects themselves, as soon as one of these is told of.
 */
export const stripeHistoryTypes = [
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  'customer.subscription.created',
  'customer.subscription.updated',
  'customer.subscription.deleted',
  'customer.subscription.paused',
  'customer.subscription.resumed',
  'subscription_schedule.updated',
  'invoice.paid',
  'invoice.payment_failed',
  'invoice.voided',
  'invoice.marked_uncollectible',
  'invoice_payment.paid',
  'charge.refunded',
  'charge.dispute.created',
  'charge.dispute.closed',
  'charge.dispute.funds_reinstated',
  'refund.created',
  'refund.failed',
  'credit_note.created',
] as const;
