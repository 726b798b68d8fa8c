import type { TransactionFact } from '@paywright/contracts';
import type { StripeCharge, StripeInvoice, StripeSubscription } from './stripe-answers.ts';
import type { StripeApi } from './stripe-api.ts';
import { stripeMoney } from './stripe-money.ts';

/** By invoice id: the charges that were to pay it. */
export type ChargesOfInvoices = ReadonlyMap<string, readonly StripeCharge[]>;

/** A charge names no invoice any more: the invoices' payments name the payment intents, and those are the charges'. */
export async function chargesOfInvoices(
  api: StripeApi,
  { customer }: StripeSubscription,
  invoices: readonly StripeInvoice[],
): Promise<ChargesOfInvoices> {
  if (!customer || invoices.length === 0) return new Map();
  const invoiceOf = new Map<string, string>();
  for (const { id, payments } of invoices)
    for (const { payment } of payments?.data ?? [])
      for (const paidBy of [payment.payment_intent, payment.charge]) if (paidBy) invoiceOf.set(paidBy, id);
  const charges = (await api.charges(customer)).map((charge) => ({
    charge,
    invoice: invoiceOf.get(charge.payment_intent ?? '') ?? invoiceOf.get(charge.id),
  }));
  const ofInvoice = new Map<string, StripeCharge[]>();
  for (const { charge, invoice } of charges)
    if (invoice !== undefined) ofInvoice.set(invoice, [...(ofInvoice.get(invoice) ?? []), charge]);
  return ofInvoice;
}

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
  const charged = made.reduce((sum, charge) => sum + charge.amount_captured, 0);
  const taken = made.flatMap((charge) => charge.balance_transaction ?? []);
  const [first] = taken;
  if (!first || charged !== amount || taken.length < made.length) return {};
  const fee = taken.reduce((sum, each) => sum + each.fee, 0);
  const isOfOneCurrency = taken.every((each) => each.currency === first.currency);
  return isOfOneCurrency && fee >= 0 ? { storeShare: stripeMoney(fee, first.currency) } : {};
}
