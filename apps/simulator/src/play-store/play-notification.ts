import { createPrivateKey } from 'node:crypto';
import { derivedId } from '@paywright/platform';
import { playPushBody, signPlayPushToken } from '@paywright/stores/testing';
import type { Headers } from '../delivery/delivery.ts';
import type { WrittenNotification } from '../delivery/notification.ts';
import { paidFor } from '../domain/payments.ts';
import { isZero } from '../domain/amounts.ts';
import type { News, NewsType, Purchase } from '../domain/purchase.ts';
import { paymentIdOf } from '../state/ids.ts';
import type { StoreKeys } from '../state/keys.ts';
import type { SimulatedApp } from '../state/simulated-app.ts';

const typeNumbers: Readonly<Partial<Record<NewsType, readonly [name: string, number: number]>>> = {
  bought: ['SUBSCRIPTION_PURCHASED', 4],
  renewed: ['SUBSCRIPTION_RENEWED', 2],
  recovered: ['SUBSCRIPTION_RECOVERED', 1],
  resumed: ['SUBSCRIPTION_RECOVERED', 1],
  'grace-ended': ['SUBSCRIPTION_ON_HOLD', 5],
  ended: ['SUBSCRIPTION_EXPIRED', 13],
  cancelled: ['SUBSCRIPTION_CANCELED', 3],
  uncancelled: ['SUBSCRIPTION_RESTARTED', 7],
  revoked: ['SUBSCRIPTION_REVOKED', 12],
  downgraded: ['SUBSCRIPTION_ITEMS_CHANGED', 17],
  'pause-scheduled': ['SUBSCRIPTION_PAUSE_SCHEDULE_CHANGED', 11],
  paused: ['SUBSCRIPTION_PAUSED', 10],
  'price-increased': ['SUBSCRIPTION_PRICE_CHANGE_UPDATED', 19],
};

/**
 * The news as Google's real-time developer notifications: a full refund is told of twice, and one that leaves the access not at
 * all.
 */
export function writePlayNotifications(news: News, purchase: Purchase, app: SimulatedApp): WrittenNotification[] {
  return messagesOf(news, purchase).map(({ label, message }, index) => {
    const messageId = derivedId(`play-store/${purchase.id}/${news.ordinal}/${index}`);
    const body = playPushBody(app.packageName, message, { messageId, publishedAt: news.at });
    return { id: messageId, label, body: JSON.stringify(body) };
  });
}

interface Message {
  readonly label: string;
  readonly message: Readonly<Record<string, object>>;
}

function messagesOf({ type, period }: News, purchase: Purchase): Message[] {
  const isEnded = purchase.kind === 'subscription' && purchase.endReason === 'refund';
  if (type === 'refunded')
    return isVoid(purchase, period) ? [...(isEnded ? about(purchase, 'revoked') : []), voided(purchase, period)] : [];
  if (type === 'billing-failed' && purchase.standing === 'grace')
    return [subscriptionMessage(purchase, 'SUBSCRIPTION_IN_GRACE_PERIOD', 6)];
  return about(purchase, type === 'billing-failed' ? 'grace-ended' : type);
}

function about(purchase: Purchase, type: NewsType): Message[] {
  const { id: purchaseToken, kind, terms } = purchase;
  if (kind === 'one-time') {
    // What was paid for is voided, not cancelled: that word is of what was given up while it waited for its payment.
    if (type === 'revoked') return [voided(purchase, 0)];
    const notification = { version: '1.0', notificationType: 1, purchaseToken, sku: terms.productId };
    const message = { oneTimeProductNotification: notification };
    return type === 'bought' ? [{ label: 'ONE_TIME_PRODUCT_PURCHASED', message }] : [];
  }
  const [label, number] = typeNumbers[type] ?? [];
  return label === undefined || number === undefined ? [] : [subscriptionMessage(purchase, label, number)];
}

const subscriptionMessage = ({ id: purchaseToken }: Purchase, label: string, notificationType: number): Message => ({
  label,
  message: { subscriptionNotification: { version: '1.0', notificationType, purchaseToken } },
});

/** Google voids an order whose access it takes: here, one of which all was given back. */
function isVoid({ periods }: Purchase, number: number): boolean {
  const period = periods[number];
  return period !== undefined && isZero(paidFor(period));
}

function voided(purchase: Purchase, number: number): Message {
  return {
    label: 'VOIDED_PURCHASE',
    message: {
      voidedPurchaseNotification: {
        purchaseToken: purchase.periods[number]?.carried?.token ?? purchase.id,
        orderId: paymentIdOf(purchase, number),
        productType: purchase.kind === 'subscription' ? 1 : 2,
        refundType: 1,
      },
    },
  };
}

/** The push token of Pub/Sub, made when it is sent. */
export function playPushHeaders({ push }: StoreKeys): Headers {
  const key = createPrivateKey(push.privateKey);
  return async (_, { playStore }, now) => {
    const { pushAudience: audience, pushServiceAccountEmail: email } = playStore;
    return { authorization: `Bearer ${await signPlayPushToken({ kid: push.keyId, key, audience, email, now })}` };
  };
}
