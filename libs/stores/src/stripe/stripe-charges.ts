import type { TransactionFact } from '@paywright/contracts';
import type { StripeCharge, StripeInvoice, StripeInvoicePayment, StripeSubscription } from './stripe-answers.ts';
import type { StripeApi } from './stripe-api.ts';
import { stripeMoney } from './stripe-money.ts';

/** What a payment paid of an invoice, in the currency's smallest units. */
export interface InvoicePart {
  readonly invoice: string;
  readonly amount: number;
}

/** A charge, and what it paid: seldom several invoices, perhaps of other subscriptions too. */
export interface InvoiceCharge {
  readonly charge: StripeCharge;
  readonly parts: readonly InvoicePart[];
}

/** A charge names no invoice any more: the invoices' payments name the payment intents, and those are the charges'. */
export async function chargesOfInvoices(
  api: StripeApi,
  { customer }: StripeSubscription,
  invoices: readonly StripeInvoice[],
): Promise<readonly InvoiceCharge[]> {
  if (!customer || invoices.length === 0) return [];
  const payments = invoices.flatMap(({ id, payments }) =>
    (payments?.data ?? []).map((one) => ({ ...one, invoice: id })),
  );
  const charges = await api.charges(customer);
  const found = charges.map(async (charge): Promise<readonly InvoiceCharge[]> => {
    const known = payments.filter(({ payment }) => isMadeBy(charge, payment));
    return known.length > 0 ? [{ charge, parts: await partsOf(api, charge, known) }] : [];
  });
  return (await Promise.all(found)).flat();
}

type Payment = StripeInvoicePayment['payment'];

const isMadeBy = ({ id, payment_intent: intent }: StripeCharge, payment: Payment): boolean =>
  payment.charge === id || (payment.payment_intent != null && payment.payment_intent === intent);

/** @param known payments by the charge, perhaps not all: what it paid beyond them may be other subscriptions' */
async function partsOf(
  api: StripeApi,
  { payment_intent: intent, amount_captured: captured }: StripeCharge,
  known: readonly StripeInvoicePayment[],
): Promise<readonly InvoicePart[]> {
  const isAll = intent == null || sum(known.map(({ amount_paid: paid }) => paid ?? 0)) >= captured;
  const payments = isAll ? known : await api.paymentsBy(intent);
  return [...payments]
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .flatMap(({ invoice, amount_paid: amount }) => (amount ? { invoice, amount } : []));
}

/** The charges of an invoice, each as far as it paid that one. */
export const chargesOf = (charges: readonly InvoiceCharge[], invoice: string): readonly StripeCharge[] =>
  charges.flatMap(({ charge, parts }) => {
    const index = parts.findIndex((part) => part.invoice === invoice);
    return index < 0 ? [] : parts.length === 1 ? charge : partOfCharge(charge, parts, index);
  });

/** Its fee is shared with it, unless some of it paid no invoice. */
function partOfCharge(charge: StripeCharge, parts: readonly InvoicePart[], index: number): StripeCharge {
  const amounts = parts.map(({ amount }) => amount);
  const { balance_transaction: taken, amount_captured: captured } = charge;
  const isShared = taken != null && sum(amounts) === captured;
  const share = isShared ? { ...taken, fee: apportioned(taken.fee, amounts)[index] ?? 0 } : null;
  return { ...charge, amount_captured: amounts[index] ?? 0, balance_transaction: share };
}

/**
 * What falls to each weight of an amount, in the smallest units: all of them make it up, and none gets more than its weight
 * as long as the amount is no more than all weights.
 */
export function apportioned(amount: number, weights: readonly number[]): readonly number[] {
  const whole = BigInt(sum(weights));
  if (whole === 0n) return weights.map(() => 0);
  let [weighed, given] = [0n, 0n];
  return weights.map((weight) => {
    weighed += BigInt(weight);
    const share = (BigInt(amount) * weighed) / whole - given;
    given += share;
    return Number(share);
  });
}

const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0);

/**
 * Whether the fee that the charge tells is that of all of it: of one that is captured in steps it is that of the last step. Of
 * what is settled in another currency that cannot be seen.
 */
export const tellsWholeFee = ({ balance_transaction: taken, amount_captured: captured, currency }: StripeCharge) =>
  taken == null || taken.currency !== currency || taken.amount === captured;

/**
 * What Stripe keeps of a payment: the fees of the charges that made it, in the currency that they are settled in.
 * Nothing, until all fees are known (Stripe can take them up to an hour later), and where the charges are not all
 * of the payment: some of it was paid elsewhere.
 * @param amount in the currency's smallest units
 */
export function stripeStoreShare(
  charges: readonly StripeCharge[],
  { amount, currency }: { amount: number; currency: string },
): Pick<TransactionFact, 'storeShare'> {
  const made = charges.filter((charge) => charge.status === 'succeeded' && charge.currency === currency);
  const charged = sum(made.map((charge) => charge.amount_captured));
  const taken = made.flatMap((charge) => charge.balance_transaction ?? []);
  const [first] = taken;
  if (!first || charged !== amount || taken.length < made.length) return {};
  const fee = sum(taken.map((each) => each.fee));
  const isOfOneCurrency = taken.every((each) => each.currency === first.currency);
  return isOfOneCurrency && fee >= 0 ? { storeShare: stripeMoney(fee, first.currency) } : {};
}
