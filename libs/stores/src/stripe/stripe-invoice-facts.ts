import type { PaidAddOn, PartPayment, Phase, RefundFact, TransactionFact } from '@paywright/contracts';
import type {
  StripeCharge,
  StripeCreditNote,
  StripeDispute,
  StripeInvoice,
  StripeInvoiceLine,
  StripeRefund,
  StripeSubscription,
} from './stripe-answers.ts';
import { boughtTogether } from '../bought-together.ts';
import { apportioned, type InvoicePart, stripeStoreShare } from './stripe-charges.ts';
import { failedDisputeIds, lostDisputes } from './stripe-disputes.ts';
import { isBeside, isForNothing, isInArrears, isProration, soldBy } from './stripe-invoice-lines.ts';
import { stripeMoney } from './stripe-money.ts';
import { mainItem } from './stripe-subscription-fact.ts';
import { offeredPhase } from './stripe-trial-offer.ts';

/**
 * What an invoice of the subscription bought; null for one of which nothing was paid. A trial's is paid with nothing. Of one
 * that is open, was given up or is void, what was paid in part is money all the same. What it paid for several items is
 * one purchase.
 * @param charges those that were to pay it
 */
export function stripeTransactionFact(
  invoice: StripeInvoice,
  subscription: StripeSubscription,
  charges: readonly StripeCharge[] = [],
): TransactionFact | null {
  const [first, ...others] = paidParts(invoice, subscription);
  const { amount_paid: amount, currency } = invoice;
  if (!(isPaid(invoice) || amount > 0) || !first || isCreditAlone(invoice)) return null;
  const payments = partPayments(invoice);
  return {
    transactionId: invoice.id,
    kind: 'subscription',
    ...boughtTogether([first, ...others]),
    purchasedAt: payments[0]?.paidAt ?? invoice.status_transitions?.paid_at ?? invoice.created,
    price: stripeMoney(amount, currency),
    isEstimate: false,
    isFamilyShared: false,
    isUpgraded: false,
    ...(payments.length > 0 && { payments }),
    ...(!buysPeriod(invoice) && { buysPeriod: false }),
    ...stripeStoreShare(charges, { amount, currency }),
  };
}

/** As for the rest of a period that is over: no payment, but the customer's balance. */
const isCreditAlone = ({ amount_paid: amount, lines }: StripeInvoice): boolean =>
  amount === 0 && lines.data.every((line) => line.amount < 0);

/** Whether credit notes took all of it off before anything was paid, and Stripe calls it paid for that. */
const isWaived = ({ amount_paid: paid, total, pre_payment_credit_notes_amount: credited }: StripeInvoice): boolean =>
  paid === 0 && (credited ?? 0) > 0 && (credited ?? 0) >= (total ?? Infinity);

/** Whether all of it was. */
const isPaid = ({ status }: StripeInvoice): boolean => status === 'paid';

/** Not as long as a part is owed, and not where nothing in it is of the subscription's items. */
const buysPeriod = (invoice: StripeInvoice): boolean => isPaid(invoice) && !invoice.lines.data.every(isBeside);

/** Whether all that paid it went back. What was paid elsewhere than by a charge did not, as far as Stripe knows. */
export function isGivenBack({ amount_paid: paid }: StripeInvoice, charges: readonly StripeCharge[] = []): boolean {
  const made = charges.filter(({ status }) => status === 'succeeded');
  const charged = made.reduce((sum, charge) => sum + charge.amount_captured, 0);
  return charged > 0 && charged >= paid && made.every(({ refunded }) => refunded === true);
}

/** The payments that arrived, in their order; none where one paid the whole invoice, which then stands for it. */
function partPayments(invoice: StripeInvoice): PartPayment[] {
  const arrived = (invoice.payments?.data ?? []).flatMap(({ id, amount_paid: paid, status_transitions: at }) =>
    paid
      ? { paymentId: id, paidAt: at?.paid_at ?? invoice.created, amount: stripeMoney(paid, invoice.currency).amount }
      : [],
  );
  return isPaid(invoice) && arrived.length === 1 ? [] : arrived.sort(byPayment);
}

const byPayment = (a: PartPayment, b: PartPayment) => a.paidAt - b.paidAt || (a.paymentId < b.paymentId ? -1 : 1);

/** Money that went back. */
type WentBack = Pick<StripeRefund, 'id' | 'created' | 'amount' | 'currency' | 'reason' | 'balance_transaction'>;

/** Refunds that arrived, and disputes that were lost. One that failed gave nothing back. */
export function wentBack(refunds: readonly StripeRefund[], disputes: readonly StripeDispute[]): readonly WentBack[] {
  const arrived = refunds.filter(({ status }) => status === 'succeeded');
  const lost = lostDisputes(disputes).map((dispute) => ({
    ...dispute,
    reason: 'disputed',
    balance_transaction: null,
  }));
  return [...arrived, ...lost];
}

/** What went back of a payment, as it falls to each invoice: all of a part when all of the payment did. */
export function sharedAmong(
  parts: readonly InvoicePart[],
  returned: readonly WentBack[],
): readonly (readonly WentBack[])[] {
  if (parts.length === 1) return [returned];
  let left = parts.map(({ amount }) => amount);
  const shared = [...returned].sort(byTime).map((whole) => {
    const due = Math.min(
      whole.amount,
      left.reduce((sum, amount) => sum + amount, 0),
    );
    const [amounts, fees] = [apportioned(due, left), apportioned(whole.balance_transaction?.fee ?? 0, left)];
    left = left.map((amount, index) => amount - (amounts[index] ?? 0));
    return { whole, amounts, fees };
  });
  return parts.map(({ invoice }, index) =>
    shared.flatMap(({ whole: { balance_transaction: taken, ...whole }, amounts, fees }) => {
      const [amount = 0, fee = 0] = [amounts[index], fees[index]];
      const share = { ...whole, id: sharedId(whole.id, invoice), amount };
      return amount > 0 ? { ...share, balance_transaction: taken && { ...taken, fee } } : [];
    }),
  );
}

/** A refund of a payment of several invoices is one of each. */
export const sharedId = (refund: string, invoice: string): string => `${refund}:${invoice}`;

type Made = Pick<WentBack, 'id' | 'created'>;
const byTime = (a: Made, b: Made) => a.created - b.created || (a.id < b.id ? -1 : 1);

export const stripeRefundFacts = (transactionId: string, returned: readonly WentBack[]): RefundFact[] =>
  returned.map(({ id, created, amount, currency, reason, balance_transaction: taken }) => ({
    refundId: id,
    transactionId,
    refundedAt: created,
    amount: stripeMoney(amount, currency),
    reason: reason ?? null,
    ...(taken && { storeShare: stripeMoney(taken.fee, taken.currency) }),
  }));

/** What the app gave back elsewhere, as by a bank transfer, and of payments that Stripe has but a record of. */
export const creditedElsewhere = (notes: readonly StripeCreditNote[]): RefundFact[] =>
  notes.flatMap(({ status, out_of_band_amount: outside, refunds, invoice, ...note }) => {
    const recorded = (refunds ?? []).filter(({ type }) => type === 'payment_record_refund');
    const amounts = [
      { id: note.id, amount: outside ?? 0 },
      { id: recordedId(note), amount: recorded.reduce((sum, refund) => sum + (refund.amount_refunded ?? 0), 0) },
    ];
    return amounts.flatMap((part) =>
      part.amount > 0 && status === 'issued'
        ? stripeRefundFacts(invoice, [{ ...note, ...part, balance_transaction: null }])
        : [],
    );
  });

/** All of the note's at once: what names each of them is the app's own text. */
const recordedId = ({ id }: Pick<StripeCreditNote, 'id'>): string => `${id}:recorded`;

/**
 * The refunds with the products that they took back: what an invoice sold once, and notes credited all of. It goes with the
 * refunds of the note that completes it; a note that has none added it to the customer's balance.
 */
export function withReturned(
  refunds: readonly RefundFact[],
  invoice: StripeInvoice,
  notes: readonly StripeCreditNote[],
): RefundFact[] {
  const returned = new Map<string, string[]>();
  const credited = new Map<string, number>();
  const isReturned = ({ id, amount }: StripeInvoiceLine) => (credited.get(id ?? '') ?? -Infinity) >= amount;
  let left = [...Map.groupBy(invoice.lines.data.filter(isBeside), (line) => soldBy(line).productId)];
  for (const note of [...notes].filter(({ status }) => status === 'issued').sort(byTime)) {
    for (const { invoice_line_item: line, amount } of note.lines.data)
      if (line != null) credited.set(line, (credited.get(line) ?? 0) + amount);
    const products = left.filter(([, lines]) => lines.every(isReturned)).flatMap(([product]) => product ?? []);
    left = left.filter(([product]) => product !== undefined && !products.includes(product));
    for (const refund of [note.id, recordedId(note), note.refund, ...(note.refunds ?? []).map(({ refund }) => refund)])
      if (refund != null && products.length > 0)
        for (const id of [refund, sharedId(refund, invoice.id)]) returned.set(id, products);
  }
  return refunds.map((refund) => {
    const products = refund.transactionId === invoice.id ? returned.get(refund.refundId) : undefined;
    return products ? { ...refund, products } : refund;
  });
}

/** Ids of those that came to nothing, some perhaps after they had gone back. */
export const failedRefundIds = (refunds: readonly StripeRefund[], disputes: readonly StripeDispute[]): string[] => [
  ...refunds.filter(hasFailed).map(({ id }) => id),
  ...failedDisputeIds(disputes),
];

/**
 * Those of what was taken. Of an authorization that is captured in part Stripe refunds the rest at once, which nobody had paid:
 * the first refund of just that amount.
 */
export function refundsOfCaptured(refunds: readonly StripeRefund[], charge: StripeCharge): readonly StripeRefund[] {
  const released = charge.amount - charge.amount_captured;
  const first = [...refunds].sort(byTime).find(({ amount }) => released > 0 && amount === released);
  return refunds.filter((refund) => refund !== first);
}

const hasFailed = ({ status }: StripeRefund): boolean => status === 'failed' || status === 'canceled';
const isOver = ({ status }: StripeDispute): boolean =>
  status === 'won' || status === 'warning_closed' || status === 'prevented';

/** What may come to something else: a refund that has not failed, also one that arrived, and a dispute until it is won. */
export const stillOpen = (
  refunds: readonly StripeRefund[],
  disputes: readonly StripeDispute[],
): readonly (StripeRefund | StripeDispute)[] => [
  ...refunds.filter((refund) => !hasFailed(refund)),
  ...disputes.filter((dispute) => !isOver(dispute)),
];

/** What the invoice paid for. The first stands for it. */
function paidParts(invoice: StripeInvoice, subscription: StripeSubscription): [PaidAddOn, ...PaidAddOn[]] | [] {
  const { price: main } = mainItem(subscription);
  const partOf = (line: StripeInvoiceLine): PaidAddOn => {
    const { productId = main.product, basePlanId = main.id } = soldBy(line);
    const { start: startsAt, end: expiresAt } = line.period;
    const phase = phaseOf(line, subscription);
    return {
      ...{ productId, basePlanId, offerId: null, phase, startsAt, expiresAt },
      ...(isInArrears(line, invoice, subscription) && { isInArrears: true }),
      ...(phase !== 'trial' && (isForNothing(line) || isWaived(invoice)) && { isFree: true }),
    };
  };
  const [first, ...others] = [...invoice.lines.data].sort(byWeight(main.product));
  if (!first) return [];
  return [
    partOf(first),
    ...others.filter(isPaidFor).map((line) => (isBeside(line) ? once(partOf(line)) : partOf(line))),
  ];
}

/** As a checkout sells it beside the subscription. Whether it is a product or a fee, the catalog says. */
const once = (part: PaidAddOn): PaidAddOn => ({ ...part, phase: 'regular', expiresAt: null, isOneTime: true });

/** Full periods first: of them the main product's, else the one that ends last. Then the dearest of the prorated. */
function byWeight(mainProduct: string): (a: StripeInvoiceLine, b: StripeInvoiceLine) => number {
  const isOfMain = (line: StripeInvoiceLine) => Number(soldBy(line).productId === mainProduct);
  const byEnd = (a: StripeInvoiceLine, b: StripeInvoiceLine) =>
    isProration(a) ? 0 : isOfMain(b) - isOfMain(a) || b.period.end - a.period.end;
  return (a, b) => Number(isProration(a)) - Number(isProration(b)) || byEnd(a, b) || b.amount - a.amount;
}

/** Less than nothing is what a credit paid for; a proration of nothing may be one. */
const isPaidFor = (line: StripeInvoiceLine): boolean => line.amount > 0 || (line.amount === 0 && !isProration(line));

function phaseOf(line: StripeInvoiceLine, subscription: StripeSubscription): Phase {
  const offered = offeredTo(line, subscription);
  if (line.amount === 0 && (offered === 'trial' || isOfTrial(line, subscription))) return 'trial';
  if (isProration(line)) return 'prorated';
  return offered === 'intro' ? 'intro' : 'regular';
}

/** By the item's price, which is the offer's as long as that runs. */
function offeredTo(line: StripeInvoiceLine, { items }: StripeSubscription) {
  const item = items.data.find(({ price }) => price.id === soldBy(line).basePlanId);
  return item ? offeredPhase(item, line.period.start) : null;
}

/** Whether its period is within the trial, or began in it: of a trial that was ended early the line keeps the first end. */
function isOfTrial({ period }: StripeInvoiceLine, { trial_start: start, trial_end: end }: StripeSubscription): boolean {
  if (end == null) return false;
  return period.end <= end || (start != null && period.start >= start && period.start < end);
}
