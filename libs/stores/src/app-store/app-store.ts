import { X509Certificate } from 'node:crypto';
import type { Observation, PurchaseEnvironment } from '@paywright/contracts';
import type { Clock } from '@paywright/platform';
import type { AppStoreApp, AppStoreSettings } from './app-store-settings.ts';
import type { CredentialsCheck } from './check-credentials.ts';
import type { HistoryPage, NotificationHistory } from './notification-history.ts';
import type { OpenAppStore } from './open-app-store.ts';
import type { AppStoreNotification } from './read-notification.ts';
import type { ClaimedTransaction } from './validate-transaction.ts';

/**
 * The App Store for one app. It holds no connection and closes nothing: keep one an app until its credentials change,
 * as it remembers the certificates that it has verified. Every method throws StoreFault alone, and ends with
 * 'unavailable' as soon as its signal aborts.
 */
export class AppStore {
  readonly #open: () => Promise<OpenAppStore>;

  /** @throws Error if a root certificate cannot be read, or none is given */
  constructor(app: AppStoreApp, settings: AppStoreSettings, clock: Clock) {
    if (settings.rootCertificates.length === 0) throw new RangeError('Signed data needs a root certificate.');
    for (const certificate of settings.rootCertificates) new X509Certificate(certificate);
    let opened: Promise<OpenAppStore> | undefined;
    // Apple's library takes 30 MB, which a process that never needs it should not hold.
    this.#open = () =>
      (opened ??= import('./open-app-store.ts').then((library) => new library.OpenAppStore(app, settings, clock)));
  }

  /**
   * What the store says of a transaction and, if it is of a subscription, of how that stands now.
   * @throws StoreFault 'not-found' (also: an id that is not 1 to 32 digits), 'bundle-mismatch', 'product-mismatch',
   * 'original-transaction-mismatch', 'revoked', 'not-configured' (the key cannot sign), 'unavailable'
   */
  async validate(claimed: ClaimedTransaction, signal: AbortSignal): Promise<Observation> {
    return (await this.#open()).validate(claimed, signal);
  }

  /**
   * What the store says of a chain of purchases now, refunded ones included.
   * @throws StoreFault 'not-found', 'bundle-mismatch', 'not-configured', 'unavailable'
   */
  async observe(
    originalTransactionId: string,
    environment: PurchaseEnvironment,
    signal: AbortSignal,
  ): Promise<Observation> {
    return (await this.#open()).observe(originalTransactionId, environment, signal);
  }

  /** Whether the store takes the credentials, and in one sentence what is wrong. Never throws. */
  async checkCredentials(signal: AbortSignal): Promise<CredentialsCheck> {
    return (await this.#open()).checkCredentials(signal);
  }

  /**
   * A notification and what its own signed parts say. The store is asked only when a grace period comes without its
   * end; if it does not tell within a second, `graceMs` counts.
   * @param rawBody as received
   * @throws StoreFault 'notification-invalid' (malformed), 'notification-unauthorized' (forged), 'bundle-mismatch'
   * (genuine, but about another app), 'unavailable' (the certificates' issuer does not answer)
   */
  async readNotification(rawBody: string | Uint8Array, signal: AbortSignal): Promise<AppStoreNotification> {
    return (await this.#open()).readNotification(rawBody, signal);
  }

  /**
   * A page of the notifications that the store made in a time, whether they arrived or not, oldest first. One that
   * cannot be believed is left out.
   * @throws StoreFault 'not-configured' (also: the environment refuses the credentials, as production does before the app
   * is released), 'unavailable'
   */
  async notificationHistory(wanted: HistoryPage, signal: AbortSignal): Promise<NotificationHistory> {
    return (await this.#open()).notificationHistory(wanted, signal);
  }
}
