import { z } from 'zod';
import { StoreFault } from '../store-fault.ts';

const token = z.string().min(1).max(4096);
const millis = z.union([
  z.int().min(0),
  z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number),
]);

/** What Pub/Sub pushes: a message, whose `data` is base64 of Google's JSON. */
const PushBody = z.object({
  message: z.object({ messageId: z.string().min(1).max(255), data: z.base64().max(100_000) }),
});

const DeveloperNotification = z.object({
  packageName: z.string().min(1).max(255),
  eventTimeMillis: millis.nullish(),
  subscriptionNotification: z.object({ notificationType: z.int(), purchaseToken: token }).nullish(),
  oneTimeProductNotification: z.object({ notificationType: z.int(), purchaseToken: token }).nullish(),
  voidedPurchaseNotification: z
    .object({
      purchaseToken: token,
      orderId: z.string().max(255).nullish(),
      productType: z.int().nullish(),
      refundType: z.int().nullish(),
    })
    .nullish(),
  testNotification: z.object({}).nullish(),
  pendingRefundReviewNotification: z.object({}).nullish(),
});
type DeveloperNotification = z.output<typeof DeveloperNotification>;

const subscriptionTypes: ReadonlyMap<number, string> = new Map([
  [1, 'RECOVERED'],
  [2, 'RENEWED'],
  [3, 'CANCELED'],
  [4, 'PURCHASED'],
  [5, 'ON_HOLD'],
  [6, 'IN_GRACE_PERIOD'],
  [7, 'RESTARTED'],
  [8, 'PRICE_CHANGE_CONFIRMED'],
  [9, 'DEFERRED'],
  [10, 'PAUSED'],
  [11, 'PAUSE_SCHEDULE_CHANGED'],
  [12, 'REVOKED'],
  [13, 'EXPIRED'],
  [17, 'ITEMS_CHANGED'],
  [18, 'CANCELLATION_SCHEDULED'],
  [19, 'PRICE_CHANGE_UPDATED'],
  [20, 'PENDING_PURCHASE_CANCELED'],
  [22, 'PRICE_STEP_UP_CONSENT_UPDATED'],
]);
const oneTimeTypes: ReadonlyMap<number, string> = new Map([
  [1, 'PURCHASED'],
  [2, 'CANCELED'],
]);

/** The purchase that a notification speaks of. The token is a secret. */
export interface PlayNotificationSubject {
  readonly purchaseToken: string;
  readonly orderId: string | null;
  readonly kind: 'subscription' | 'one_time' | null;
  /** Of a voided order: whether all of it is, or some of its pieces; absent where Google does not say. */
  readonly voids?: 'all' | 'part';
}

/** A notification says only that something changed: what, the purchase itself has to be asked. */
export interface PlayNotification {
  readonly notificationId: string;
  /** Google's name, `SUBSCRIPTION_RENEWED` and so on; a number that we do not know stands in its place. */
  readonly type: string;
  readonly isTest: boolean;
  /** By Google's clock, in milliseconds; null if it does not say. */
  readonly sentAt: number | null;
  /** Null: nothing to ask for, the notification is only recorded. */
  readonly subject: PlayNotificationSubject | null;
}

/**
 * Reads the body of a push whose token was verified before.
 * @param packageName the app's; the notification must be of it
 * @throws StoreFault notification-invalid, or bundle-mismatch: genuine, and of another app
 */
export function readPlayNotification(body: unknown, packageName: string): PlayNotification {
  const push = PushBody.safeParse(body);
  if (!push.success) throw new StoreFault('notification-invalid', 'The body is no push of Pub/Sub.');
  const { messageId, data } = push.data.message;
  const read = DeveloperNotification.safeParse(parseJson(Buffer.from(data, 'base64').toString('utf8')));
  if (!read.success) throw new StoreFault('notification-invalid', 'The message is no notification of Google Play.');
  if (read.data.packageName !== packageName)
    throw new StoreFault('bundle-mismatch', 'The notification is of another app.');
  return { notificationId: messageId, sentAt: read.data.eventTimeMillis ?? null, ...contentOf(read.data) };
}

function contentOf(notification: DeveloperNotification): Pick<PlayNotification, 'type' | 'isTest' | 'subject'> {
  const {
    subscriptionNotification: subscription,
    oneTimeProductNotification: oneTime,
    voidedPurchaseNotification: voided,
    testNotification: test,
    pendingRefundReviewNotification: review,
  } = notification;
  if ([subscription, oneTime, voided, test, review].filter((part) => part != null).length > 1)
    throw new StoreFault('notification-invalid', 'The notification speaks of more than one thing.');
  const about = (type: string, subject: PlayNotificationSubject | null = null) => ({
    type,
    isTest: test != null,
    subject,
  });
  if (subscription) {
    const name = subscriptionTypes.get(subscription.notificationType) ?? subscription.notificationType;
    return about(`SUBSCRIPTION_${name}`, { ...unordered(subscription), kind: 'subscription' });
  }
  if (oneTime) {
    const name = oneTimeTypes.get(oneTime.notificationType) ?? oneTime.notificationType;
    return about(`ONE_TIME_PRODUCT_${name}`, { ...unordered(oneTime), kind: 'one_time' });
  }
  if (voided) {
    const kind = voided.productType === 1 ? 'subscription' : voided.productType === 2 ? 'one_time' : null;
    const voids = voided.refundType === 1 ? 'all' : voided.refundType === 2 ? 'part' : null;
    const { purchaseToken, orderId = null } = voided;
    return about('VOIDED_PURCHASE', { purchaseToken, orderId, kind, ...(voids && { voids }) });
  }
  return about(test ? 'TEST' : review ? 'PENDING_REFUND_REVIEW' : 'UNKNOWN');
}

const unordered = ({ purchaseToken }: { purchaseToken: string }) => ({ purchaseToken, orderId: null });

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
