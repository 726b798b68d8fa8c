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
  /** Of a store that was asked too much (429): how long it wants to be left alone. null: it said nothing of the kind. */
  readonly restMs: number | null;

  constructor(kind: StoreFaultKind, message: string, restMs: number | null = null) {
    super(message);
    this.kind = kind;
    this.restMs = restMs;
  }
}

/** Where the store does not say how long, or not in seconds. */
const usualRestMs = 60_000;
const longestRestMs = 60 * 60_000;

/**
 * A store that answers 429 was asked too much.
 * @param retryAfter its header of that name, which counts where it is in seconds; an hour at most
 */
export function askedTooMuch(store: string, retryAfter: string | null | undefined): StoreFault {
  const saidMs = /^\d{1,6}$/.test(retryAfter ?? '') ? Number(retryAfter) * 1_000 : usualRestMs;
  return new StoreFault('unavailable', `${store} was asked too much.`, Math.min(saidMs, longestRestMs));
}
