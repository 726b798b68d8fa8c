import type { LedgerRow } from '@paywright/read-model';
import {} from './admin-gateway.ts';
import { startedAt } from './surroundings.ts';

/** A renewal paid in euros. */
export const ledgerRow: LedgerRow = {
  id: '2001',
  time: startedAt,
  type: 'charge',
  store: 'app_store',
  environment: 'production',
  transactionId: '2001',
  originalTransactionId: '1000',
  productId: 'premium.monthly',
  amount: '9.99',
  currency: 'EUR',
  usd: '11.4885',
  rate: '1.15',
  refundOf: null,
  paywallId: 12,
  placementId: 'onboarding',
  decisionId: '0190a5b0-0000-7000-8000-00000000000a',
};
