import { Injectable } from '@nestjs/common';
import { StoreAccess } from '@paywright/store-credentials';
import type { App } from '../catalog/apps.ts';
import type { NotificationReader, PostedNotification, VerifiedNotification } from './notification-reader.ts';
import { withoutCredentials } from './without-credentials.ts';

/** An issuer of certificates that does not answer by then is asked again when the notification comes again. */
const issuerPatienceMs = 3_000;

/** The App Store's: all that is to be known stands in their signed parts. */
@Injectable()
export class AppStoreNotifications implements NotificationReader {
  readonly store = 'app_store';

  constructor(private readonly stores: StoreAccess) {}

  async read(app: App, { body }: PostedNotification): Promise<VerifiedNotification> {
    const { bundleId } = app.snapshot.document.app;
    const appStore = bundleId === null ? null : this.stores.appStore(app.id, bundleId);
    if (appStore === null)
      throw withoutCredentials(
        this.stores.isLocked(app.id, this.store),
        'The app has no bundleId, or no credentials for the App Store.',
      );
    const read = await appStore.readNotification(body, AbortSignal.timeout(issuerPatienceMs));
    const { notificationId, type: notificationType, subtype, observation } = read;
    return {
      taken: {
        notification: { notificationId, notificationType, subtype },
        content: { store: this.store, observation },
      },
      originalId: observation?.originalId ?? null,
    };
  }
}
