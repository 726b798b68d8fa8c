import type { Observation, PurchaseEnvironment } from '@paywright/contracts';
import type { Clock } from '@paywright/platform';
import { untilAborted } from '../until-aborted.ts';
import type { AppStoreAccess } from './app-store-access.ts';
import { canSign } from './app-store-credentials.ts';
import type { AppStoreApp, AppStoreSettings } from './app-store-settings.ts';
import { AppStoreVerifier } from './app-store-verifier.ts';
import { checkCredentials, type CredentialsCheck } from './check-credentials.ts';
import { KeptBearer } from './kept-bearer.ts';
import { readNotificationHistory, type HistoryPage, type NotificationHistory } from './notification-history.ts';
import { readNotification, type AppStoreNotification } from './read-notification.ts';
import { observeChain, validateTransaction, type ClaimedTransaction } from './validate-transaction.ts';

/** The App Store for one app, with the library that it takes. What the methods throw: see AppStore. */
export class OpenAppStore {
  readonly #access: AppStoreAccess;

  constructor(app: AppStoreApp, settings: AppStoreSettings, clock: Clock) {
    this.#access = {
      app,
      settings,
      verifier: new AppStoreVerifier(app, settings, clock),
      bearer: canSign(app.privateKey) ? new KeptBearer(clock) : null,
    };
  }

  validate(claimed: ClaimedTransaction, signal: AbortSignal): Promise<Observation> {
    return untilAborted(validateTransaction(this.#access, claimed, signal), signal);
  }

  observe(originalTransactionId: string, environment: PurchaseEnvironment, signal: AbortSignal): Promise<Observation> {
    return untilAborted(observeChain(this.#access, originalTransactionId, environment, signal), signal);
  }

  checkCredentials(signal: AbortSignal): Promise<CredentialsCheck> {
    return checkCredentials(this.#access, signal);
  }

  readNotification(rawBody: string | Uint8Array, signal: AbortSignal): Promise<AppStoreNotification> {
    return untilAborted(readNotification(this.#access, rawBody, signal), signal);
  }

  notificationHistory(wanted: HistoryPage, signal: AbortSignal): Promise<NotificationHistory> {
    return untilAborted(readNotificationHistory(this.#access, wanted, signal), signal);
  }
}
