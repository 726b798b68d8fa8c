import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '@paywright/platform';
import { StoreCredentialsBook } from '@paywright/store-credentials';
import { readPlayNotification, verifyPlayPush } from '@paywright/stores';
import type { App } from '../catalog/apps.ts';
import { GOOGLE_KEYS, type GoogleKeys } from '../gateway-parts.ts';
import { PurchaseTokens } from '../purchases/purchase-tokens.ts';
import type { NotificationReader, PostedNotification, VerifiedNotification } from './notification-reader.ts';
import { withoutCredentials } from './without-credentials.ts';

/** Google Play's, pushed by Pub/Sub: they name a purchase to ask for, by its token. */
@Injectable()
export class PlayNotifications implements NotificationReader {
  readonly store = 'play_store';

  constructor(
    private readonly credentials: StoreCredentialsBook,
    private readonly tokens: PurchaseTokens,
    private readonly clock: Clock,
    @Inject(GOOGLE_KEYS) private readonly keys: GoogleKeys,
  ) {}

  async read(app: App, { body, header }: PostedNotification): Promise<VerifiedNotification> {
    const { packageName } = app.snapshot.document.app;
    const credentials = this.credentials.find(app.id, this.store);
    if (packageName === null || credentials === null)
      throw withoutCredentials(
        this.credentials.isLocked(app.id, this.store),
        'The app has no packageName, or no credentials for Google Play.',
      );
    await verifyPlayPush(header('authorization'), credentials, { keys: this.keys, clock: this.clock });
    const { notificationId, type: notificationType, subject } = readPlayNotification(parsed(body), packageName);
    return {
      taken: {
        notification: { notificationId, notificationType, subtype: null },
        content: {
          store: this.store,
          subject: subject && {
            sealedToken: this.tokens.seal(app.id, subject.purchaseToken),
            kind: subject.kind,
            orderId: subject.orderId,
            ...(subject.voids && { voids: subject.voids }),
          },
        },
      },
      originalId: subject?.purchaseToken ?? null,
    };
  }
}

/** Null for what is no JSON: then it is no push either. */
function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8')) as unknown;
  } catch {
    return null;
  }
}
