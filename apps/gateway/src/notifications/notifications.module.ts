import { Module } from '@nestjs/common';
import { PurchaseTokens } from '../purchases/purchase-tokens.ts';
import { AppStoreNotifications } from './app-store-notifications.ts';
import { NotificationTaking } from './notification-taking.ts';
import { NotificationsController } from './notifications.controller.ts';
import { PlayNotifications } from './play-notifications.ts';
import { StripeNotifications } from './stripe-notifications.ts';

/** The stores' notifications, below /notifications. */
@Module({
  controllers: [NotificationsController],
  providers: [NotificationTaking, AppStoreNotifications, PlayNotifications, StripeNotifications, PurchaseTokens],
})
export class NotificationsModule {}
