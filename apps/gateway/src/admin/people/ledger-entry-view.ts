import type { LedgerRow } from '@paywright/read-model';
import { isoTime } from '../iso-time.ts';

/** A movement of money as the ledger shows it. */
export const ledgerEntryView = ({ id, time, type, store, environment, ...row }: LedgerRow) => ({
  id,
  time: isoTime(time),
  type,
  store,
  environment,
  transactionId: row.transactionId,
  originalTransactionId: row.originalTransactionId,
  productId: row.productId,
  amount: row.amount,
  currency: row.currency,
  usd: row.usd,
  rate: row.rate,
  refundOf: row.refundOf,
  paywallId: row.paywallId,
  placementId: row.placementId,
  decisionId: row.decisionId,
});
