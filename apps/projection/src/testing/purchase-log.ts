import {
  AutoRenewalObserved,
  MoneyMoved,
  MoneyShareTold,
  MoneyValued,
  NotificationReceived,
  PurchaseAttributed,
  PurchaseClaimed,
  PurchaseReleased,
  PurchaseReplaced,
  PurchaseValidated,
  RefundFailed,
  RefundReversed,
  SubscriptionChanged,
  SubscriptionConfirmed,
  TransactionObserved,
  TransactionRefunded,
  TransactionRevoked,
  type PurchaseEnvironment,
} from '@paywright/contracts';
import type { OutgoingMessage } from '@paywright/messaging';
import { derivedId } from '@paywright/platform';
import { chainIdOf, type PurchaseEvent } from '@paywright/purchases';
import { appId, eventRecord } from './event-log.ts';

export const day = 86_400_000;
export const boughtAt = Date.UTC(2026, 0, 1);
export const decisionId = derivedId('decision');

export interface ChainOptions {
  readonly appId?: number;
  readonly environment?: PurchaseEnvironment;
}

/** Makes the events of an App Store chain: a month for 9.99, transactions 't0', 't1' … */
export function purchaseChain(originalId: string, options: ChainOptions = {}) {
  const chain = { appId: options.appId ?? appId, store: 'app_store' } as const;
  const chainId = chainIdOf(chain.appId, chain.store, originalId);
  const told = { ...chain, chainId, profileId: null };
  const observed = { ...told, environment: options.environment ?? 'production' };
  return {
    chainId,
    validated: (profileId: string) =>
      PurchaseValidated.of({
        ...{ ...observed, profileId, transactionId: 't0', source: null, origin: null, clientReported: null },
      }),
    claimed: (
      profileId: string,
      formerProfileId: string | null = null,
      payerProfileId = formerProfileId ?? profileId,
    ) =>
      PurchaseClaimed.of({
        ...{ ...observed, profileId, formerProfileId, payerProfileId, by: 'client', claimedAt: boughtAt },
      }),
    attributed: (payerProfileId: string, transactionId = 't0', of: Partial<typeof origin> = {}) =>
      PurchaseAttributed.of({ ...observed, payerProfileId, transactionId, origin: { ...origin, ...of } }),
    bought: (index: number) =>
      TransactionObserved.of({
        ...{ ...observed, originalTransactionId: originalId, observedAt: boughtAt + index * 30 * day, labels: [] },
        transaction: { ...transaction, ...periodOf(index), purchasedAt: periodOf(index).startsAt },
      }),
    subscribed: (index: number) =>
      SubscriptionChanged.of({
        ...{ ...observed, observedAt: boughtAt + index * 30 * day, labels: [] },
        subscription: { ...subscription, ...periodOf(index) },
      }),
    confirmed: (observedAt: number) => SubscriptionConfirmed.of({ ...observed, observedAt }),
    switchedOff: (unsubscribedAt: number) =>
      AutoRenewalObserved.of({ ...observed, observedAt: unsubscribedAt, willRenew: false, unsubscribedAt }),
    moved: (movementId: string, more: Partial<MoneyMoved['body']> = {}) =>
      MoneyMoved.of({ ...observed, ...movement, originalTransactionId: originalId, movementId, ...more }),
    valued: (movementId: string, usd: string, rate: string) => MoneyValued.of({ ...told, movementId, usd, rate }),
    shared: (movementId: string, amount: string) =>
      MoneyShareTold.of({ ...told, movementId, storeShare: { amount, currency: 'USD' } }),
    refunded: (transactionId: string, refundedAt: number) =>
      TransactionRefunded.of({
        ...observed,
        refund: { refundId: `${transactionId}:${refundedAt}`, transactionId, refundedAt, amount: null, reason: null },
      }),
    reversed: (transactionId: string, reversedAt: number) =>
      RefundReversed.of({ ...observed, transactionId, reversedAt }),
    failed: (refundId: string, observedAt: number) => RefundFailed.of({ ...observed, refundId, observedAt }),
    revoked: (transactionId: string, observedAt: number) =>
      TransactionRevoked.of({ ...observed, transactionId, observedAt }),
    replaced: (replacedAt: number) => PurchaseReplaced.of({ ...told, byChainId: derivedId('newer'), replacedAt }),
    released: (formerProfileId: string) =>
      PurchaseReleased.of({ ...told, formerProfileId, releasedAt: boughtAt + day }),
    notified: (notificationId: string) =>
      NotificationReceived.of({
        ...{ ...told, notificationId, notificationType: 'DID_RENEW', subtype: null, hadEffect: true },
      }),
    /** Its stream, from version 1 on. */
    log: (...events: readonly PurchaseEvent[]): OutgoingMessage[] =>
      events.map((event, index) => eventRecord('purchase', chainId, index + 1, event)),
  };
}

export const origin = {
  ...{ paywallId: 12, placementId: 'onboarding', isExperiment: true, aiPricingModelId: 3, abTestId: null },
  ...{ decisionId, impressionId: null },
};

const periodOf = (index: number) => ({
  transactionId: `t${index}`,
  startsAt: boughtAt + index * 30 * day,
  expiresAt: boughtAt + (index + 1) * 30 * day,
});

const product = { productId: 'premium.monthly', basePlanId: null, offerId: null };

const transaction = {
  ...product,
  kind: 'subscription',
  phase: 'regular',
  price: { amount: '9.99', currency: 'EUR' },
  isEstimate: false,
  isFamilyShared: false,
  isUpgraded: false,
} as const;

const subscription = {
  ...product,
  status: 'active',
  graceExpiresAt: null,
  isOpenEnded: false,
  willRenew: true,
  renewsAs: null,
  unsubscribedAt: null,
  billingIssueAt: null,
  cancellationReason: null,
} as const;

const movement = {
  type: 'charge',
  transactionId: 't0',
  productId: product.productId,
  time: boughtAt,
  originalTime: boughtAt,
  amount: '9.99',
  currency: 'EUR',
  usd: '11.4885',
  rate: '1.15',
  refundOf: null,
  isEstimate: false,
  payerProfileId: null,
  origin: null,
} as const;
