import type { Observation, PurchaseEnvironment } from '@paywright/contracts';
import type { Clock } from '@paywright/platform';
import { untilAborted } from '../until-aborted.ts';
import type { AppStoreAccess, AppStoreApp, AppStoreSettings } from './app-store-access.ts';
import { AppStoreVerifier } from './app-store-verifier.ts';
import { checkCredentials, type CredentialsCheck } from './check-credentials.ts';
import { readNotificationHistory, type HistoryPage, type NotificationHistory } from './notification-history.ts';
import { readNotification, type AppStoreNotification } from './read-notification.ts';
import { observeChain, validateTransaction, type ClaimedTransaction } from './validate-transaction.ts';

/**
 * The App Store for one app. It holds no connection and closes nothing: keep one an app until its credentials change,
 * as it remembers the certificates that it has verified. Every method throws StoreFault alone, and ends with
 * 'unavailable' as soon as its signal aborts.
 */
export class AppStore {
  readonly #access: AppStoreAccess;

  /** @throws Error if a root certificate cannot be read, or none is given */
  constructor(app: AppStoreApp, settings: AppStoreSettings, clock: Clock) {
    this.#access = { app, settings, verifier: new AppStoreVerifier(app, settings, clock) };
  }

  /**
   * What the store says of a transaction and, if it is of a subscription, of how that stands now.
   * @throws StoreFault 'not-found' (also: an id that is not 1 to 32 digits), 'bundle-mismatch', 'product-mismatch',
   * 'original-transaction-mismatch', 'revoked', 'not-configured' (the key cannot sign), 'unavailable'
   */
  validate(claimed: ClaimedTransaction, signal: AbortSignal): Promise<Observation> {
    return untilAborted(validateTransaction(this.#access, claimed, signal), signal);
  }

  /**
   * What the store says of a chain of purchases now, refunded ones included.
   * @throws StoreFault 'not-found', 'bundle-mismatch', 'not-configured', 'unavailable'
   */
  observe(originalTransactionId: string, environment: PurchaseEnvironment, signal: AbortSignal): Promise<Observation> {
    return untilAborted(observeChain(this.#access, originalTransactionId, environment, signal), signal);
  }

  /** Whether the store takes the credentials, and in one sentence what is wrong. Never throws. */
  checkCredentials(signal: AbortSignal): Promise<CredentialsCheck> {
    return checkCredentials(this.#access, signal);
  }

  /**
   * A notification and what its own signed parts say. The store is asked only when a grace period comes without its
   * end; if it does not tell within a second, `graceMs` counts.
   * @param rawBody as received
   * @throws StoreFault 'notification-invalid' (malformed), 'notification-unauthorized' (forged), 'bundle-mismatch'
   * (genuine, but about another app), 'unavailable' (the certificates' issuer does not answer)
   */
  readNotification(rawBody: string | Uint8Array, signal: AbortSignal): Promise<AppStoreNotification> {
    return untilAborted(readNotification(this.#access, rawBody, signal), signal);
  }

  /**
   * A page of the notifications that the store made in a time, whether they arrived or not, oldest first. One that
   * cannot be believed is left out.
   * @throws StoreFault 'not-configured', 'unavailable' (also: the store refuses the credentials)
   */
  notificationHistory(wanted: HistoryPage, signal: AbortSignal): Promise<NotificationHistory> {
    return untilAborted(readNotificationHistory(this.#access, wanted, signal), signal);
  }
}
