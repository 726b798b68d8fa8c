import type { ErrorCode, Store } from '@paywright/contracts';
import type { StoreFault } from '@paywright/stores';
import { ApiError } from '../http/api-error.ts';

/** What becomes of a notification, for those who count them. */
export type NotificationResult =
  'accepted' | 'of_another_app' | 'invalid' | 'unauthorized' | 'not_configured' | 'unavailable' | 'failed';

/** What is missing may yet be set: the store is told to send it again. Elsewhere the code is no passing matter. */
class NotConfigured extends ApiError {
  constructor(message: string) {
    super('STORE_NOT_CONFIGURED', message);
  }

  override get status(): number {
    return 503;
  }
}

interface Refused {
  readonly result: NotificationResult;
  /** Null: the store is told that all is well, and nothing comes of it. */
  readonly refusal: ApiError | null;
}

/**
 * What a store is answered. Google repeats whatever is refused for days: so a notification that is its
 * own, but of another app, is accepted, and dropped.
 */
export function refusedFor(store: Store, { kind, message }: StoreFault): Refused {
  const refused = (result: NotificationResult, code: ErrorCode) => ({ result, refusal: new ApiError(code, message) });
  const isPlay = store === 'play_store';
  switch (kind) {
    case 'notification-invalid':
      return refused('invalid', 'NOTIFICATION_INVALID');
    case 'notification-unauthorized':
      return refused('unauthorized', isPlay ? 'NOTIFICATION_UNAUTHORIZED' : 'NOTIFICATION_INVALID');
    case 'bundle-mismatch':
      return isPlay ? { result: 'of_another_app', refusal: null } : refused('of_another_app', 'NOTIFICATION_INVALID');
    case 'not-configured':
      return { result: 'not_configured', refusal: new NotConfigured(message) };
    default:
      return refused('unavailable', 'STORE_UNAVAILABLE');
  }
}
