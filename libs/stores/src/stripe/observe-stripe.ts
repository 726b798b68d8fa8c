import type { Observation, PaidAddOn, RefundFact, TransactionFact } from '@paywright/contracts';
import { boughtTogether } from '../bought-together.ts';
import { StoreFault } from '../store-fault.ts';
import type {
  StripeCharge,
  StripeCheckoutSession,
  StripeCreditNote,
  StripeInvoice,
  StripePaymentIntent,
  StripePrice,
  StripeSubscription,
} from './stripe-answers.ts';
import type { StripeApi } from './stripe-api.ts';
import {
  chargesOf,
  chargesOfInvoices,
  type InvoiceCharge,
  type InvoicePart,
  stripeStoreShare,
  tellsWholeFee,
} from './stripe-charges.ts';
import { inCurrencyOf } from './stripe-disputes.ts';
import {
  creditedElsewhere,
  failedRefundIds,
  isGivenBack,
  refundsOfCaptured,
  sharedAmong,
  sharedId,
  stillOpen,
  stripeRefundFacts,
  stripeTransactionFact,
  wentBack,
  withReturned,
} from './stripe-invoice-facts.ts';
import { stripeMoney } from './stripe-money.ts';
import { stripeSubscriptionFacts } from './stripe-subscription-fact.ts';

/** A refund or dispute that may yet come to something else: Stripe tells so once, and a refund can fail 30 days later. */
export interface OnItsWayBack {
  readonly id: string;
  /** When it began, in milliseconds. */
  readonly at: number;
  readonly charge: { readonly id: string; readonly paymentIntent: string };
}

/** An observation, by what else the buyer may be known, and what sold it. */
export interface StripeObservation {
  readonly observation: Observation;
  /** Of real money. */
  readonly onItsWayBack: readonly OnItsWayBack[];
  /** Other subscriptions that the same event is about: they are to be asked about too. */
  readonly others: readonly string[];
  readonly buyer: {
    readonly customerId: string | null;
    /** Personal: for a look-up alone, never for an event or a log. */
    readonly customerUserId: string | null;
    /** The paywall that sold it, as the app told Stripe; `unread`: what it told is no id. */
    readonly paywallId: number | 'unread' | null;
  };
}

/** What was given back, the refunds that came to nothing, and what may yet. */
interface GivenBack {
  readonly refunds: RefundFact[];
  readonly failed: string[];
  readonly onItsWay: OnItsWayBack[];
}

/**
 * A subscription with all its invoices and what was given back of them.
 * @param chargeId one whose refunds are asked for even if Stripe counts nothing as refunded: a refund may have failed
 */
export async function observeStripeSubscription(
  api: StripeApi,
  subscriptionId: string,
  { observedAt, chargeId }: { observedAt: number; chargeId?: string | undefined },
): Promise<StripeObservation> {
  const [subscription, invoices] = await Promise.all([api.subscription(subscriptionId), api.invoices(subscriptionId)]);
  const [charges, creditNotes, checkout] = await Promise.all([
    chargesOfInvoices(api, subscription, invoices),
    creditNotesOf(api, invoices),
    subscription.metadata?.profileId ? null : api.checkout({ subscription: subscriptionId }),
  ]);
  const invoiceIds = new Set(invoices.map(({ id }) => id));
  const givenBack = await givenBackOf(api, charges, { invoiceIds, chargeId });
  const transactions = invoices.flatMap(
    (invoice) => stripeTransactionFact(invoice, subscription, chargesOf(charges, invoice.id)) ?? [],
  );
  const paid = transactions.filter(({ buysPeriod }) => buysPeriod !== false);
  const refunded = invoices
    .filter((invoice) => isGivenBack(invoice, chargesOf(charges, invoice.id)))
    .map(({ id }) => id);
  return {
    observation: {
      ...observationOf(subscription, observedAt),
      account: subscription.metadata?.profileId ?? checkout?.metadata?.profileId ?? null,
      ...stripeSubscriptionFacts(subscription, { invoices, transactions: paid, refunded }),
      transactions,
      refunds: invoices.reduce<RefundFact[]>(
        (refunds, invoice) => withReturned(refunds, invoice, notesOf(creditNotes, invoice)),
        [...givenBack.refunds, ...creditedElsewhere(creditNotes)],
      ),
      failedRefunds: givenBack.failed,
    },
    onItsWayBack: subscription.livemode ? givenBack.onItsWay : [],
    others: [],
    buyer: buyerOf(subscription, checkout),
  };
}

/**
 * A payment that is no subscription's: a one-time purchase at checkout.
 * @param invoices what the checkout made of it, if anything
 * @returns null if it is not paid, or no checkout names what it bought
 * @throws StoreFault 'pending' if it is authorized, and the app has not taken it yet
 */
export async function observeStripePayment(
  api: StripeApi,
  paymentIntentId: string,
  { observedAt, invoices }: { observedAt: number; invoices: readonly StripeInvoice[] },
): Promise<StripeObservation | null> {
  const [payment, checkout] = await Promise.all([
    api.paymentIntent(paymentIntentId),
    api.checkout({ payment_intent: paymentIntentId }),
  ]);
  return observePaid(api, payment, checkout, { observedAt, invoices });
}

/**
 * What a checkout sold for nothing, as with a coupon of 100 %: no payment is made of it.
 * @returns null if something was to be paid
 */
export async function observeFreeCheckout(
  api: StripeApi,
  checkoutId: string,
  observedAt: number,
): Promise<StripeObservation | null> {
  const checkout = await api.checkoutOrder(checkoutId);
  const { payment_status: status, currency } = checkout ?? {};
  if (!checkout || status !== 'no_payment_required' || !currency) return null;
  const nothingPaid = { status: 'succeeded', amount_received: 0, currency, latest_charge: null } as const;
  return observePaid(api, { ...checkout, ...nothingPaid }, checkout, { observedAt, invoices: [] });
}

async function observePaid(
  api: StripeApi,
  payment: StripePaymentIntent,
  checkout: StripeCheckoutSession | null,
  { observedAt, invoices }: { observedAt: number; invoices: readonly StripeInvoice[] },
): Promise<StripeObservation | null> {
  const [price, ...more] = checkout?.line_items?.data.flatMap((line) => line.price ?? []) ?? [];
  if (payment.status === 'requires_capture' && price)
    throw new StoreFault('pending', 'The payment is authorized, and not captured yet.');
  if (!isDone(payment) || !price) return null;
  const { latest_charge: charge, created } = payment;
  const [{ refunds, failed, onItsWay }, creditNotes] = await Promise.all([
    charge
      ? givenBackOfCharge(api, charge, [{ invoice: payment.id, amount: payment.amount_received }])
      : Promise.resolve(nothing),
    creditNotesOf(api, invoices),
  ]);
  const paidAt = charge?.created ?? created;
  return {
    observation: {
      ...observationOf(payment, observedAt),
      account: payment.metadata?.profileId ?? checkout?.metadata?.profileId ?? null,
      subscription: null,
      transactions: [paymentFact(payment, [price, ...more], paidAt)],
      refunds: withCredited(refunds, payment, { invoices, creditNotes }),
      failedRefunds: failed,
    },
    onItsWayBack: payment.livemode ? onItsWay : [],
    others: [],
    buyer: buyerOf(payment, checkout),
  };
}

/** Whether it took what it will: one that is cancelled after it was captured in part took that. */
const isDone = ({ status, amount_received: taken }: StripePaymentIntent): boolean =>
  status === 'succeeded' || (status === 'canceled' && taken > 0);

const nothing: GivenBack = { refunds: [], failed: [], onItsWay: [] };

type Origin = StripeSubscription | StripePaymentIntent;

const observationOf = ({ id, livemode }: Origin, observedAt: number) => ({
  store: 'stripe' as const,
  environment: livemode ? ('production' as const) : ('sandbox' as const),
  originalId: id,
  observedAt,
  replaces: [],
  reversedRefunds: [],
  revokedTransactions: [],
});

const buyerOf = ({ customer, metadata }: Origin, checkout: StripeCheckoutSession | null) => ({
  customerId: customer ?? checkout?.customer ?? null,
  customerUserId: metadata?.customerUserId ?? checkout?.metadata?.customerUserId ?? null,
  paywallId: paywallIdOf([metadata?.paywallId, checkout?.metadata?.paywallId]),
});

type ToldPaywall = StripeObservation['buyer']['paywallId'];

/** The first that is an id; else whether one was meant. */
const paywallIdOf = (told: readonly (ToldPaywall | undefined)[]): ToldPaywall =>
  told.find((each) => typeof each === 'number') ?? told.find((each) => each != null) ?? null;

function paymentFact(
  payment: StripePaymentIntent,
  [first, ...more]: readonly [StripePrice, ...StripePrice[]],
  paidAt: number,
): TransactionFact {
  const { amount_received: amount, currency, latest_charge: charge } = payment;
  const partOf = ({ id: basePlanId, product: productId }: StripePrice): PaidAddOn => {
    return { productId, basePlanId, offerId: null, phase: 'regular', startsAt: paidAt, expiresAt: null };
  };
  return {
    transactionId: payment.id,
    kind: 'one_time',
    ...boughtTogether([partOf(first), ...more.map(partOf)]),
    purchasedAt: paidAt,
    price: stripeMoney(amount, currency),
    isEstimate: false,
    isFamilyShared: false,
    isUpgraded: false,
    ...stripeStoreShare(charge && tellsWholeFee(charge) ? [charge] : [], { amount, currency }),
  };
}

/** Of those that have one: seldom any. */
async function creditNotesOf(api: StripeApi, invoices: readonly StripeInvoice[]): Promise<readonly StripeCreditNote[]> {
  const credited = invoices.filter(({ post_payment_credit_notes_amount: amount }) => (amount ?? 0) > 0);
  return (await Promise.all(credited.map(({ id }) => api.creditNotes(id)))).flat();
}

/** What was given back of a payment, by the credit notes of its invoices too, as if those were the payment. */
function withCredited(
  refunds: readonly RefundFact[],
  { id }: StripePaymentIntent,
  { invoices, creditNotes }: { invoices: readonly StripeInvoice[]; creditNotes: readonly StripeCreditNote[] },
): RefundFact[] {
  const notes = creditNotes.map((note) => ({ ...note, invoice: id }));
  return invoices.reduce<RefundFact[]>(
    (all, invoice) => withReturned(all, { ...invoice, id }, notes),
    [...refunds, ...creditedElsewhere(notes)],
  );
}

const notesOf = (notes: readonly StripeCreditNote[], { id }: StripeInvoice) =>
  notes.filter(({ invoice }) => invoice === id);

async function givenBackOf(
  api: StripeApi,
  charges: readonly InvoiceCharge[],
  { invoiceIds, chargeId }: { invoiceIds: ReadonlySet<string>; chargeId: string | undefined },
): Promise<GivenBack> {
  const asked = charges.filter(
    ({ charge: { id, amount_refunded, disputed } }) => amount_refunded > 0 || disputed === true || id === chargeId,
  );
  const each = await Promise.all(asked.map(({ charge, parts }) => givenBackOfCharge(api, charge, parts, invoiceIds)));
  return {
    refunds: each.flatMap(({ refunds }) => refunds),
    failed: each.flatMap(({ failed }) => failed),
    onItsWay: each.flatMap(({ onItsWay }) => onItsWay),
  };
}

/** @param parts what it paid: of them only `invoiceIds` are told of */
async function givenBackOfCharge(
  api: StripeApi,
  charge: StripeCharge,
  parts: readonly InvoicePart[],
  invoiceIds?: ReadonlySet<string>,
): Promise<GivenBack> {
  const { id, payment_intent: paymentIntent } = charge;
  const [all, disputed] = await Promise.all([api.refunds(id), api.disputes(id)]);
  const [refunds, disputes] = [refundsOfCaptured(all, charge), inCurrencyOf(charge, disputed)];
  const shares = sharedAmong(parts, wentBack(refunds, disputes));
  const failed = failedRefundIds(refunds, disputes);
  const idOf = (refund: string, invoice: string) => (parts.length > 1 ? sharedId(refund, invoice) : refund);
  const isTold = (invoice: string) => invoiceIds?.has(invoice) ?? true;
  return {
    refunds: parts.flatMap(({ invoice }, index) =>
      isTold(invoice) ? stripeRefundFacts(invoice, shares[index] ?? []) : [],
    ),
    failed: parts.flatMap(({ invoice }) => (isTold(invoice) ? failed.map((each) => idOf(each, invoice)) : [])),
    onItsWay: stillOpen(refunds, disputes).flatMap((one) =>
      paymentIntent ? { id: one.id, at: one.created, charge: { id, paymentIntent } } : [],
    ),
  };
}
