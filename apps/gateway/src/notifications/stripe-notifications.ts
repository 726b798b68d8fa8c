import { Injectable } from '@nestjs/common';
import { Clock } from '@paywright/platform';
import { StoreCredentialsBook } from '@paywright/store-credentials';
import { readStripeWebhook } from '@paywright/stores';
import type { App } from '../catalog/apps.ts';
import type { NotificationReader, PostedNotification, VerifiedNotification } from './notification-reader.ts';
import { withoutCredentials } from './without-credentials.ts';

/** Stripe's events: they name an object to ask for. */
@Injectable()
export class StripeNotifications implements NotificationReader {
  readonly store = 'stripe';

  constructor(
    private readonly credentials: StoreCredentialsBook,
    private readonly clock: Clock,
  ) {}

  async read(app: App, { body, header }: PostedNotification): Promise<VerifiedNotification> {
    const credentials = this.credentials.find(app.id, this.store);
    if (credentials === null)
      throw withoutCredentials(this.credentials.isLocked(app.id, this.store), 'The app has no credentials for Stripe.');
    const event = await readStripeWebhook(body, header('stripe-signature'), credentials.webhookSecrets, this.clock);
    const { notificationId, type: notificationType, subject } = event;
    return {
      taken: {
        notification: { notificationId, notificationType, subtype: null },
        content: { store: this.store, subject },
      },
      originalId: subject?.id ?? null,
    };
  }
}
