import {
  stripeBalanceTransaction,
  stripeCharge,
  stripeInvoice,
  stripePayment,
  stripePhase,
  stripeRefund,
  stripeSubscription,
  type StripeChargeObject,
  type StripeCheckoutObject,
  type StripeDisputeObject,
  type StripeInvoiceObject,
  type StripeObjects,
  type StripePaymentIntentObject,
  type StripeRefundObject,
  type StripeScheduleObject,
  type StripeSubscriptionObject,
} from '@paywright/stores/testing';
import { chargedFor, givenBackOf } from '../domain/payments.ts';
import { isZero, minorUnits, minus } from '../domain/amounts.ts';
import { renewed } from '../domain/life-cycle.ts';
import { type AddOn, lastPeriod, type Period, type Purchase, withAddOns } from '../domain/purchase.ts';
import { lettersFromName, paymentIdOf } from '../state/ids.ts';

const seconds = (ms: number) => Math.floor(ms / 1000);
const secondsOrNull = (ms: number | null) => (ms === null ? null : seconds(ms));
const currencyOf = ({ currency }: Purchase) => currency.toLowerCase();
const isLive = ({ environment }: Purchase) => environment === 'production';
const customerOf = ({ customerId }: Purchase) => customerId ?? '';

const priceOf = ({ productId, planId }: AddOn) => ({ productId, priceId: planId ?? '' });

function statusOf(purchase: Purchase): StripeSubscriptionObject['status'] {
  switch (purchase.standing) {
    case 'running':
      return lastPeriod(purchase).phase === 'trial' ? 'trialing' : 'active';
    case 'grace':
      return 'past_due';
    case 'retry':
      return 'unpaid';
    case 'paused':
      return 'paused';
    default:
      return 'canceled';
  }
}

const isOwed = ({ standing }: Purchase) => standing === 'grace' || standing === 'retry';
const dueNext = (purchase: Purchase): Period => lastPeriod(renewed(purchase, lastPeriod(purchase).endsAt ?? 0));

/** The period that a payment is owed for: Stripe begins it, paid or not. */
const owedPeriod = (purchase: Purchase): Period | null => (isOwed(purchase) ? dueNext(purchase) : null);

export function subscriptionObject(purchase: Purchase): StripeSubscriptionObject {
  const { standing, willRenew, cancelledAt, endedAt, endReason, metadata, periods } = purchase;
  const current = owedPeriod(purchase) ?? lastPeriod(purchase);
  const [first] = periods;
  const isTrial = first.phase === 'trial';
  const reason =
    endReason === 'billing' ? 'payment_failed' : endReason === 'voluntary' ? 'cancellation_requested' : null;
  const { startsAt, endsAt } = current;
  const isToEnd = standing === 'running' && !willRenew;
  const itemOf = (sold: AddOn) => ({ ...soldFor(purchase, sold), ...{ startsAt, endsAt: endsAt ?? startsAt } });
  const alone = stripeSubscription(purchase.id, customerOf(purchase), itemOf(current.terms), {
    status: statusOf(purchase),
    livemode: isLive(purchase),
    created: seconds(first.startsAt),
    trial_start: isTrial ? seconds(first.startsAt) : null,
    trial_end: isTrial ? secondsOrNull(first.endsAt) : null,
    cancel_at_period_end: isToEnd,
    cancel_at: isToEnd ? secondsOrNull(endsAt) : null,
    canceled_at: secondsOrNull(cancelledAt ?? endedAt),
    ended_at: secondsOrNull(endedAt),
    cancellation_details: reason === null ? null : { reason },
    metadata,
    schedule: scheduleObject(purchase),
  });
  const more = (current.terms.addOns ?? []).flatMap(
    (addOn) => stripeSubscription(`${purchase.id}_${addOn.planId}`, '', itemOf(addOn)).items.data,
  );
  return { ...alone, items: { data: [...alone.items.data, ...more] } };
}

const soldFor = (purchase: Purchase, sold: AddOn) => ({
  ...priceOf(sold),
  ...{ amount: minorUnits(sold.price, purchase.currency), currency: currencyOf(purchase) },
});

/** What is to change at the end of the period; null: nothing. */
function scheduleObject(purchase: Purchase): StripeScheduleObject | null {
  const { standing, nextTerms, id } = purchase;
  if (nextTerms === null || standing !== 'running') return null;
  const phases = [lastPeriod(purchase), dueNext(purchase)].map(({ terms, startsAt, endsAt }) => {
    const sold = [terms, ...(terms.addOns ?? [])].map((each) =>
      stripePhase({ ...soldFor(purchase, each), startsAt, endsAt: endsAt ?? startsAt }),
    );
    return { ...sold[0]!, items: sold.flatMap(({ items }) => items) };
  });
  return { id: scheduleIdOf(id), object: 'subscription_schedule', end_behavior: 'release', phases };
}

export const scheduleIdOf = (id: string): string => `sub_sched_${lettersFromName(`${id}/schedule`)}`;

/** What a period's payment was for. In a trial all of it is free. */
function linesOf({ terms, phase, amount }: Period): readonly AddOn[] {
  const { addOns = [] } = terms;
  if (phase === 'trial') return [terms, ...addOns].map((sold) => ({ ...sold, price: '0' }));
  return [{ ...terms, price: minus(amount, withAddOns('0', terms)) }, ...addOns];
}

/** The invoice that paid for a period. A trial's is paid with nothing. */
export function invoiceObject(purchase: Purchase, period: Period): StripeInvoiceObject {
  const id = paymentIdOf(purchase, period.number);
  const amount = minorUnits(period.amount, purchase.currency);
  const endsAt = period.endsAt ?? period.startsAt;
  // Stripe lists the newest item first.
  const lines = [...linesOf(period)].reverse().flatMap((sold) => {
    const price = { amount: minorUnits(sold.price, purchase.currency), currency: currencyOf(purchase) };
    return stripeInvoice(id, purchase.id, { ...priceOf(sold), startsAt: period.startsAt, endsAt }, price).lines.data;
  });
  const parts = (period.partPayments ?? []).map((part, index) => {
    const of = { amount: minorUnits(part.amount, purchase.currency), at: part.at, id: `${id}_${index}` };
    return { ...stripePayment(id, of), payment: { type: 'payment_record', payment_record: `pyr_${of.id}` } as const };
  });
  const charged = minorUnits(chargedFor(period), purchase.currency);
  const payments = [...(charged > 0 ? [stripePayment(id, { amount: charged, at: period.paidAt })] : []), ...parts];
  return stripeInvoice(
    id,
    purchase.id,
    { ...priceOf(period.terms), startsAt: period.startsAt, endsAt },
    { amount, currency: currencyOf(purchase) },
    {
      livemode: isLive(purchase),
      billing_reason: period.number === 0 ? 'subscription_create' : 'subscription_cycle',
      status_transitions: { paid_at: seconds(period.paidAt), finalized_at: seconds(period.startsAt) },
      lines: { data: lines },
      payments: { data: payments },
    },
  );
}

/** The invoice that was tried and is still to be paid, or was given up after a part was; null if there is none. */
export function openInvoiceObject(purchase: Purchase): StripeInvoiceObject | null {
  const { partPayments = [] } = purchase;
  if (!isOwed(purchase) && partPayments.length === 0) return null;
  const owed = dueNext(purchase);
  const invoice = invoiceObject(purchase, owed);
  const payments = invoice.payments.data.filter(({ payment }) => payment.type === 'payment_record');
  return {
    ...invoice,
    status: isOwed(purchase) ? 'open' : 'uncollectible',
    amount_paid: payments.reduce((sum, { amount_paid: paid }) => sum + (paid ?? 0), 0),
    status_transitions: { paid_at: null, finalized_at: seconds(owed.startsAt) },
    payments: { data: payments },
  };
}

const chargeIdOf = (purchase: Purchase, number: number) => `ch_${lettersFromName(`${purchase.id}/charge/${number}`)}`;

const paymentIntentOf = (purchase: Purchase, number: number) =>
  purchase.kind === 'one-time' ? purchase.id : `pi_${paymentIdOf(purchase, number)}`;

/** Stripe keeps 2.9 % and 30 of the smallest units, rounded half up. @param amount in the smallest units */
const feeOf = (amount: number): number => Math.floor((amount * 29 + 500) / 1000) + 30;

/** The charge of a period's payment, with its fee; null where nothing was charged. */
export function chargeObject(purchase: Purchase, period: Period): StripeChargeObject | null {
  const charged = chargedFor(period);
  if (isZero(charged)) return null;
  const id = chargeIdOf(purchase, period.number);
  const paid = {
    amount: minorUnits(charged, purchase.currency),
    currency: currencyOf(purchase),
    at: period.paidAt,
  };
  const of = {
    ...paid,
    customer: customerOf(purchase),
    paymentIntent: paymentIntentOf(purchase, period.number),
    refunded: minorUnits(givenBackOf(period), purchase.currency),
  };
  const balance_transaction = stripeBalanceTransaction(`txn_${id}`, { ...paid, fee: feeOf(paid.amount) });
  return stripeCharge(id, of, { balance_transaction, disputed: period.dispute !== undefined });
}

/** What was given back of a period's payment, with the payment that it was. A refund that came back has failed. */
export function refundObjects(purchase: Purchase, period: Period): (StripeRefundObject & { payment_intent: string })[] {
  return period.refunds.map(({ at, amount, reversedAt }, index) => {
    const id = `re_${lettersFromName(`${purchase.id}/refund/${period.number}/${index}`)}`;
    const given = { amount: minorUnits(amount, purchase.currency), currency: currencyOf(purchase), at };
    const refund = stripeRefund(id, chargeIdOf(purchase, period.number), given, {
      reason: 'requested_by_customer',
      // Stripe keeps the charge's fee, and takes none for giving back.
      balance_transaction: stripeBalanceTransaction(`txn_${id}`, { ...given, amount: -given.amount, fee: 0 }),
      ...(reversedAt !== null && { status: 'failed' }),
    });
    return { ...refund, payment_intent: paymentIntentOf(purchase, period.number) };
  });
}

/** The dispute of a period's payment, with the payment that it is; null if there is none. */
export function disputeObject(
  purchase: Purchase,
  { number, dispute }: Period,
): (StripeDisputeObject & { payment_intent: string }) | null {
  if (dispute === undefined) return null;
  return {
    id: `du_${lettersFromName(`${purchase.id}/dispute/${number}`)}`,
    object: 'dispute',
    charge: chargeIdOf(purchase, number),
    payment_intent: paymentIntentOf(purchase, number),
    amount: minorUnits(dispute.amount, purchase.currency),
    currency: currencyOf(purchase),
    created: seconds(dispute.at),
    status: dispute.outcome ?? 'needs_response',
  };
}

function paymentIntentObject(purchase: Purchase): StripePaymentIntentObject {
  const [paid] = purchase.periods;
  return {
    id: purchase.id,
    object: 'payment_intent',
    status: 'succeeded',
    amount_received: minorUnits(paid.amount, purchase.currency),
    currency: currencyOf(purchase),
    livemode: isLive(purchase),
    created: seconds(paid.paidAt),
    metadata: purchase.metadata,
    customer: purchase.customerId,
    latest_charge: chargeObject(purchase, paid)?.id ?? null,
  };
}

/** The checkout that a single payment came of: it says what was bought. */
export function checkoutObject(purchase: Purchase): StripeCheckoutObject {
  const sold = linesOf(purchase.periods[0]).map(priceOf);
  return {
    id: `cs_${lettersFromName(`${purchase.id}/checkout`)}`,
    object: 'checkout.session',
    mode: 'payment',
    metadata: purchase.metadata,
    customer: purchase.customerId,
    subscription: null,
    payment_intent: purchase.id,
    line_items: { data: sold.map(({ productId, priceId }) => ({ price: { id: priceId, product: productId } })) },
  };
}

const byId = <T extends { id: string }>(objects: readonly (T | null)[]): Map<string, T> =>
  new Map(objects.flatMap((object) => (object === null ? [] : [[object.id, object] as const])));

/** All objects of some purchases. */
export function objectsOf(purchases: readonly Purchase[]): Omit<StripeObjects, 'events'> {
  const subscriptions = purchases.filter(({ kind }) => kind === 'subscription');
  const payments = purchases.filter(({ kind }) => kind === 'one-time');
  const paid = purchases.flatMap((purchase) => purchase.periods.map((period) => ({ purchase, period })));
  const invoiced = paid.filter(({ purchase }) => purchase.kind === 'subscription');
  return {
    subscriptions: byId(subscriptions.map(subscriptionObject)),
    invoices: byId([
      ...invoiced.map(({ purchase, period }) => invoiceObject(purchase, period)),
      ...subscriptions.map(openInvoiceObject),
    ]),
    charges: byId(paid.map(({ purchase, period }) => chargeObject(purchase, period))),
    refunds: byId(paid.flatMap(({ purchase, period }) => refundObjects(purchase, period))),
    disputes: byId(paid.map(({ purchase, period }) => disputeObject(purchase, period))),
    paymentIntents: byId(payments.map(paymentIntentObject)),
    checkouts: byId(payments.map(checkoutObject)),
    creditNotes: new Map(),
    customerDiscounts: new Map(),
    deletedCustomers: new Set(),
  };
}
