/**
 * Why a store's word cannot be had, or does not say what was asked for.
 * The first six are the store's no (or a mismatch with the request), 'unavailable' passes, 'not-configured' is
 * for the app's owner to mend, and the last two are said of notifications that nobody should send again.
 */
export type StoreFaultKind =
  | 'not-found'
  | 'bundle-mismatch'
  | 'product-mismatch'
  | 'original-transaction-mismatch'
  | 'revoked'
  | 'pending'
  | 'unavailable'
  | 'not-configured'
  | 'notification-invalid'
  | 'notification-unauthorized';

/**
 * What every call on a store throws, and nothing else. `message` is one English sentence; it never holds a key,
 * a header, a token or a body, and there is no `cause`: the errors of the stores' libraries carry their requests.
 */
export class StoreFault extends Error {
  override readonly name = 'StoreFault';
  readonly kind: StoreFaultKind;

  constructor(kind: StoreFaultKind, message: string) {
    super(message);
    this.kind = kind;
  }
}
