import { derivedId } from '@paywright/platform';
import type { WrittenNotification } from '../delivery/notification.ts';
import type { SimulatedApp } from '../state/simulated-app.ts';
import type { EndReason, News, NewsType, Purchase } from '../domain/purchase.ts';
import { statusOf, type SignedParts } from './signed-parts.ts';

interface Wording {
  readonly notificationType: string;
  readonly subtype?: string;
}

const expirySubtypes: Readonly<Partial<Record<EndReason, string>>> = {
  voluntary: 'VOLUNTARY',
  billing: 'BILLING_RETRY',
  'price-increase': 'PRICE_INCREASE',
};

/** What Apple calls the news; null for what it does not tell of. */
function wordingOf({ type }: News, purchase: Purchase): Wording | null {
  switch (type) {
    case 'bought':
      return purchase.kind === 'one-time'
        ? { notificationType: 'ONE_TIME_CHARGE' }
        : { notificationType: 'SUBSCRIBED', subtype: 'INITIAL_BUY' };
    case 'billing-failed':
      return {
        notificationType: 'DID_FAIL_TO_RENEW',
        ...(purchase.standing === 'grace' && { subtype: 'GRACE_PERIOD' }),
      };
    case 'ended':
      return { notificationType: 'EXPIRED', ...subtype(expirySubtypes[purchase.endReason ?? 'other']) };
    case 'price-increased':
      return { notificationType: 'PRICE_INCREASE', subtype: purchase.awaitsConsent ? 'PENDING' : 'ACCEPTED' };
    default:
      return plain[type] ?? null;
  }
}

const subtype = (text: string | undefined) => (text === undefined ? {} : { subtype: text });

const plain: Readonly<Partial<Record<NewsType, Wording>>> = {
  renewed: { notificationType: 'DID_RENEW' },
  'bought-again': { notificationType: 'SUBSCRIBED', subtype: 'RESUBSCRIBE' },
  recovered: { notificationType: 'DID_RENEW', subtype: 'BILLING_RECOVERY' },
  'grace-ended': { notificationType: 'GRACE_PERIOD_EXPIRED' },
  cancelled: { notificationType: 'DID_CHANGE_RENEWAL_STATUS', subtype: 'AUTO_RENEW_DISABLED' },
  uncancelled: { notificationType: 'DID_CHANGE_RENEWAL_STATUS', subtype: 'AUTO_RENEW_ENABLED' },
  refunded: { notificationType: 'REFUND' },
  'refund-reversed': { notificationType: 'REFUND_REVERSED' },
  revoked: { notificationType: 'REVOKE' },
  upgraded: { notificationType: 'DID_CHANGE_RENEWAL_PREF', subtype: 'UPGRADE' },
  downgraded: { notificationType: 'DID_CHANGE_RENEWAL_PREF', subtype: 'DOWNGRADE' },
};

/** The news as App Store Server Notification, version 2, signed when it happened. */
export function writeAppStoreNotifications(
  news: News,
  purchase: Purchase,
  app: SimulatedApp,
  parts: SignedParts,
): WrittenNotification[] {
  const wording = wordingOf(news, purchase);
  if (wording === null) return [];
  const id = derivedId(`app-store/${purchase.id}/${news.ordinal}`);
  const isSandbox = purchase.environment === 'sandbox';
  const signedRenewalInfo = parts.renewal(purchase, news.at);
  const signedPayload = parts.sign({
    notificationUUID: id,
    ...wording,
    version: '2.0',
    signedDate: news.at,
    data: {
      bundleId: app.bundleId,
      ...(!isSandbox && { appAppleId: app.appStore.appAppleId }),
      bundleVersion: '1',
      environment: isSandbox ? 'Sandbox' : 'Production',
      ...(purchase.kind === 'subscription' && { status: statusOf(purchase) }),
      signedTransactionInfo: parts.transaction(purchase, app.bundleId, news.period, news.at),
      ...(signedRenewalInfo !== null && { signedRenewalInfo }),
    },
  });
  const label = [wording.notificationType, wording.subtype].filter((part) => part !== undefined).join('/');
  return [{ id, label, body: JSON.stringify({ signedPayload }) }];
}
