import { type ErrorCode, type Refusal, refuse } from '@paywright/contracts';
import type { StoreFault, StoreFaultKind } from '@paywright/stores';

/** What a client is told of a store's no, or of its silence. */
const codes: Readonly<Record<StoreFaultKind, ErrorCode>> = {
  'not-found': 'TRANSACTION_NOT_FOUND',
  'bundle-mismatch': 'BUNDLE_MISMATCH',
  'product-mismatch': 'PRODUCT_MISMATCH',
  'original-transaction-mismatch': 'ORIGINAL_TRANSACTION_MISMATCH',
  revoked: 'TRANSACTION_REVOKED',
  pending: 'PURCHASE_PENDING',
  unavailable: 'STORE_UNAVAILABLE',
  'not-configured': 'STORE_NOT_CONFIGURED',
  'notification-invalid': 'NOTIFICATION_INVALID',
  'notification-unauthorized': 'NOTIFICATION_UNAUTHORIZED',
};

export const refusalFor = ({ kind, message }: StoreFault): Refusal => refuse(codes[kind], message);
