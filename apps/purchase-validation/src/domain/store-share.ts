import type { Money, TransactionFact } from '@paywright/contracts';
import { decimalOfMicros, microsOf, type Movement } from '@paywright/purchases';

/** The store's share of a row that has none yet. */
export interface ShareOfRow {
  readonly movementId: string;
  readonly storeShare: Money;
}

/**
 * What the store keeps of a transaction and no row tells yet, for the first charge that can tell it: what the rows
 * tell together is the share of what was paid, however often the charge was mended.
 * @param rows the transaction's rows, those to be booked too
 */
export function untoldShare({ storeShare, price }: TransactionFact, rows: readonly Movement[]): ShareOfRow | null {
  const charges = rows.filter(({ type, currency }) => type === 'charge' && currency === price?.currency);
  const row = charges.find((charge) => !charge.storeShare && microsOf(charge.amount) > 0n);
  if (!storeShare || !row) return null;
  const { amount, currency } = storeShare;
  const told = charges.flatMap((charge) => charge.storeShare ?? []);
  const rest = told.reduce((left, share) => left - microsOf(share.amount), microsOf(amount));
  const isTold = told.length > 0 && (rest <= 0n || told.some((share) => share.currency !== currency));
  if (isTold) return null;
  return { movementId: row.movementId, storeShare: { amount: decimalOfMicros(rest), currency } };
}
