import type { ErrorCode } from '@paywright/contracts';

/** One of several faults of a body: where, as a JSON Pointer, and what. */
export interface ErrorDetail {
  readonly path: string;
  readonly message: string;
}

/** A request is refused: the code decides the status, the message is one English sentence for the client. */
export class ApiError extends Error {
  override readonly name = 'ApiError';

  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly details?: readonly ErrorDetail[],
    /** Headers of the answer, besides those of every refusal. */
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }

  get status(): number {
    return statusOf[this.code];
  }

  /** Whether the same request may soon be answered otherwise: what a store said need not hold. */
  get mayChange(): boolean {
    return saidByStores.has(this.code);
  }

  /** Whether the client is told to send the same request again. */
  get isPassing(): boolean {
    return this.status === 503 || this.status === 429;
  }
}

/** A refusal that would only be repeated: though it is a 503, nobody is told to send the same request again. */
export class NotNowNorLater extends ApiError {
  override get isPassing(): boolean {
    return false;
  }
}

/** A body that does not have the shape or the values that its route asks for. */
export const validationFailed = (message: string): ApiError => new ApiError('VALIDATION_FAILED', message);

/** @param hint what may be wrong with the path, for the end of the sentence */
export const routeNotFound = (hint = ': /docs lists those that there are'): ApiError =>
  new ApiError('ROUTE_NOT_FOUND', `No route has this path${hint}.`);

/** The service could not do it in time, or would not take it on: the same request may be sent again. */
export const serviceUnavailable = (): ApiError =>
  new ApiError('SERVICE_UNAVAILABLE', 'The service could not answer in time; send the same request again.');

/** More requests come than can be borne: nothing of this one was done. */
export const serviceOverloaded = (): ApiError =>
  new ApiError('SERVICE_UNAVAILABLE', 'More requests come than can be answered; wait as long as Retry-After says.');

const saidByStores: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'TRANSACTION_NOT_FOUND',
  'BUNDLE_MISMATCH',
  'PRODUCT_MISMATCH',
  'ORIGINAL_TRANSACTION_MISMATCH',
  'TRANSACTION_REVOKED',
  'PURCHASE_PENDING',
  'ACCOUNT_MISMATCH',
  'STORE_UNAVAILABLE',
  'STORE_NOT_CONFIGURED',
]);

const statusOf: Readonly<Record<ErrorCode, number>> = {
  VALIDATION_FAILED: 400,
  MALFORMED_JSON: 400,
  SESSION_TOKEN_INVALID: 400,
  SESSION_TOKEN_WRONG_APP: 400,
  SESSION_TOKEN_UNSUPPORTED_VERSION: 400,
  SESSION_TOKEN_EXPIRED: 400,
  NOTIFICATION_INVALID: 400,
  INVALID_API_KEY: 401,
  INVALID_ADMIN_TOKEN: 401,
  NOTIFICATION_UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  PROFILE_NOT_FOUND: 404,
  PLACEMENT_NOT_FOUND: 404,
  ATTRIBUTE_NOT_FOUND: 404,
  ROUTE_NOT_FOUND: 404,
  APP_NOT_FOUND: 404,
  KEY_NOT_FOUND: 404,
  REVISION_NOT_FOUND: 404,
  DECISION_NOT_FOUND: 404,
  MODEL_NOT_FOUND: 404,
  DEAD_LETTER_NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  DEAD_LETTER_SETTLED: 409,
  DEAD_LETTER_WAITS: 409,
  DEAD_LETTER_NOT_RETRIABLE: 409,
  DEAD_LETTER_NOT_DISCARDABLE: 409,
  REVISION_CONFLICT: 412,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  IDEMPOTENCY_KEY_REUSED: 422,
  TOO_MANY_ATTRIBUTES: 422,
  ATTRIBUTE_KEY_TAKEN: 422,
  CIRCULAR_PLACEMENT_ALLOCATION: 422,
  MIXED_PROFILE_IDENTIFIERS: 422,
  TRANSACTION_NOT_FOUND: 422,
  BUNDLE_MISMATCH: 422,
  PRODUCT_MISMATCH: 422,
  ORIGINAL_TRANSACTION_MISMATCH: 422,
  TRANSACTION_REVOKED: 422,
  PURCHASE_PENDING: 422,
  ACCOUNT_MISMATCH: 422,
  PURCHASE_BELONGS_TO_ANOTHER_PROFILE: 422,
  STORE_NOT_CONFIGURED: 422,
  RATE_LIMITED: 429,
  INTERNAL_ERROR: 500,
  SERVICE_UNAVAILABLE: 503,
  STORE_UNAVAILABLE: 503,
};
