import { Injectable } from '@nestjs/common';
import type { Store } from '@paywright/contracts';
import { StoreAccess, StoreCredentialsBook, type CredentialsOf } from '@paywright/store-credentials';
import type { CredentialsCheck } from '@paywright/stores';
import type { App } from '../../catalog/apps.ts';
import { ApiError } from '../../http/api-error.ts';

const checkDeadlineMs = 5_000;

/** Asks stores whether they take what an app has for them. */
@Injectable()
export class CredentialsChecks {
  constructor(
    private readonly book: StoreCredentialsBook,
    private readonly stores: StoreAccess,
  ) {}

  /**
   * What the store says, or in one sentence why it cannot be asked; noted beside the credentials.
   * @throws ApiError STORE_NOT_CONFIGURED
   */
  async check(app: App, store: Store): Promise<CredentialsCheck> {
    const credentials = this.book.find(app.id, store);
    if (credentials === null && this.book.isLocked(app.id, store)) return locked;
    if (credentials === null)
      throw new ApiError('STORE_NOT_CONFIGURED', 'The app has no credentials for this store: set them first.');
    const { ok, message: answer } = await this.#ask(app, store, AbortSignal.timeout(checkDeadlineMs));
    const missing = ok ? missingForNotifications(credentials) : [];
    const message = missing.length === 0 ? answer : `${answer} ${refusing(missing)}`;
    await this.book.recordCheck(app.id, store, { credentials, ok, message });
    return { ok, message };
  }

  async #ask(app: App, store: Store, signal: AbortSignal): Promise<CredentialsCheck> {
    const { bundleId, packageName } = app.snapshot.document.app;
    switch (store) {
      case 'app_store':
        if (bundleId === null) return unnamed('bundleId', 'the App Store');
        return (await this.stores.appStore(app.id, bundleId)?.checkCredentials(signal)) ?? removed;
      case 'play_store':
        if (packageName === null) return unnamed('packageName', 'Google Play');
        return (await this.stores.playStore(app.id, packageName)?.checkCredentials(signal)) ?? removed;
      case 'stripe':
        return (await this.stores.stripe(app.id)?.checkCredentials(signal)) ?? removed;
    }
  }
}

/** What no answer of a store's API tells: the fields without which its notifications prove nothing. */
function missingForNotifications(credentials: CredentialsOf[Store]): readonly string[] {
  if ('webhookSecrets' in credentials) return credentials.webhookSecrets.length === 0 ? ['webhookSecrets'] : [];
  if (!('serviceAccount' in credentials)) return [];
  return (['pushAudience', 'pushServiceAccountEmail'] as const).filter((field) => !credentials[field]);
}

const refusing = (missing: readonly string[]): string =>
  `Its notifications are refused for lack of ${missing.join(' and ')}.`;

const unnamed = (field: string, store: string): CredentialsCheck => ({
  ok: false,
  message: `The catalog has no app.${field}, by which ${store} knows the app.`,
});

const locked: CredentialsCheck = {
  ok: false,
  message:
    'The credentials cannot be opened: they were sealed with another MASTER_KEY. Give that one in MASTER_KEY_FORMER, or set the credentials again.',
};

const removed: CredentialsCheck = { ok: false, message: 'The credentials were removed meanwhile.' };
