import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { StoreFault } from '../store-fault.ts';
import { type PlayDeveloperNotification, playPushBody } from '../testing/play-push.ts';
import { readPlayNotification } from './play-notification.ts';

const packageName = 'com.example';
const publishedAt = Date.UTC(2026, 10, 20, 12);
const pushed = (notification: PlayDeveloperNotification, of = packageName) =>
  playPushBody(of, notification, { messageId: 'm-1', publishedAt });
const read = (notification: PlayDeveloperNotification) => readPlayNotification(pushed(notification), packageName);
const faultOf = (body: unknown) => {
  try {
    readPlayNotification(body, packageName);
    return null;
  } catch (error) {
    return error instanceof StoreFault ? error.kind : 'no store fault';
  }
};

describe('readPlayNotification', () => {
  it.each([
    [1, 'RECOVERED'],
    [2, 'RENEWED'],
    [3, 'CANCELED'],
    [4, 'PURCHASED'],
    [5, 'ON_HOLD'],
    [6, 'IN_GRACE_PERIOD'],
    [7, 'RESTARTED'],
    [10, 'PAUSED'],
    [11, 'PAUSE_SCHEDULE_CHANGED'],
    [12, 'REVOKED'],
    [13, 'EXPIRED'],
    [20, 'PENDING_PURCHASE_CANCELED'],
    [4711, '4711'],
  ])('reads subscription type %d as %s', (notificationType, name) => {
    expect(
      read({ subscriptionNotification: { notificationType, purchaseToken: 'tok', subscriptionId: 'old' } }),
    ).toEqual({
      notificationId: 'm-1',
      type: `SUBSCRIPTION_${name}`,
      isTest: false,
      sentAt: publishedAt,
      subject: { purchaseToken: 'tok', orderId: null, kind: 'subscription' },
    });
  });

  it('reads one-time purchases', () => {
    expect(
      read({ oneTimeProductNotification: { notificationType: 2, purchaseToken: 'tok', sku: 'coins100' } }),
    ).toMatchObject({
      type: 'ONE_TIME_PRODUCT_CANCELED',
      subject: { purchaseToken: 'tok', kind: 'one_time' },
    });
  });

  it.each([
    [1, 'subscription'],
    [2, 'one_time'],
    [3, null],
  ])('reads a voided purchase of product type %d', (productType, kind) => {
    const voided = { purchaseToken: 'tok', orderId: 'GPA.1', productType, refundType: 1 };
    expect(read({ voidedPurchaseNotification: voided })).toMatchObject({
      type: 'VOIDED_PURCHASE',
      subject: { purchaseToken: 'tok', orderId: 'GPA.1', kind },
    });
  });

  it.each([
    [1, 'all'],
    [2, 'part'],
    [3, undefined],
  ])('reads how much of an order is void by refund type %d', (refundType, voids) => {
    const voided = { purchaseToken: 'tok', orderId: 'GPA.1', productType: 2, refundType };
    expect(read({ voidedPurchaseNotification: voided }).subject?.voids).toBe(voids);
  });

  it('only records a test, a review, and what it does not know', () => {
    expect(read({ testNotification: { version: '1.0' } })).toMatchObject({ type: 'TEST', isTest: true, subject: null });
    expect(read({ pendingRefundReviewNotification: {} })).toMatchObject({
      type: 'PENDING_REFUND_REVIEW',
      subject: null,
    });
    expect(read({ tomorrowsNotification: { purchaseToken: 'tok' } })).toMatchObject({
      type: 'UNKNOWN',
      isTest: false,
      subject: null,
    });
  });

  it('takes the time as a number too, and without one', () => {
    expect(read({ testNotification: {}, eventTimeMillis: 5 }).sentAt).toBe(5);
    expect(read({ testNotification: {}, eventTimeMillis: undefined }).sentAt).toBeNull();
  });

  it('tells the notification of another app from a malformed one', () => {
    expect(faultOf(pushed({ testNotification: {} }, 'com.other'))).toBe('bundle-mismatch');
    expect(faultOf({ message: { messageId: '1', data: 'e30=' } })).toBe('notification-invalid');
    const both = { testNotification: {}, subscriptionNotification: { notificationType: 2, purchaseToken: 'tok' } };
    expect(faultOf(pushed(both))).toBe('notification-invalid');
    expect(faultOf(pushed({ subscriptionNotification: { notificationType: '2', purchaseToken: 'tok' } }))).toBe(
      'notification-invalid',
    );
  });

  it('refuses whatever else is pushed', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.json().map((text) => JSON.parse(text) as unknown),
          fc.string().map((data) => ({ message: { messageId: '1', data } })),
        ),
        (body) => {
          expect(faultOf(body)).toBe('notification-invalid');
        },
      ),
    );
  });
});
