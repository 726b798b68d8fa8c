import {
  type Attribution,
  CatalogDocument,
  type ExchangeRate,
  type Money,
  type ObservedPurchase,
  ObservePurchase,
  type PurchaseClaim,
  type PurchaseOrigin,
  type RefundFact,
  type SubscriptionFact,
  type TransactionFact,
} from '@paywright/contracts';
import { decide, isRefusal } from '@paywright/event-sourcing';
import { commandFor } from '@paywright/event-sourcing/testing';
import { type PurchaseEvent, purchaseViewOf } from '@paywright/purchases';
import { type PurchaseCommand, purchaseDecider } from '../purchase-decider.ts';
import type { PurchaseStream } from '../purchase-stream.ts';

export const day = 24 * 3_600_000;
export const now = Date.UTC(2026, 10, 20, 12);
export const chainId = '6f2c1c52-1111-8aaa-8bbb-000000000001';
export const [p1, p2] = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222'];

export const { products } = CatalogDocument.parse({
  accessLevels: [{ id: 'premium' }, { id: 'coaching' }],
  products: [
    { id: 'monthly', period: 'monthly', accessLevel: 'premium', appStore: { productId: 'pro.monthly' } },
    { id: 'yearly', period: 'yearly', accessLevel: 'premium', appStore: { productId: 'pro.yearly' } },
    { id: 'coach', period: 'monthly', accessLevel: 'coaching', appStore: { productId: 'coach' } },
    { id: 'coins', period: '', accessLevel: null, isConsumable: true, appStore: { productId: 'coins100' } },
    { id: 'lifetime', period: 'ever', accessLevel: 'premium', appStore: { productId: 'lifetime' } },
  ].map(({ period, ...product }) => {
    const block = product.appStore;
    const stripe = { ...block, priceId: 'price_1', trialPeriodDays: null };
    return { ...product, name: product.id, period: period || 'none', playStore: { ...block }, stripe };
  }),
});

export const usd = (amount: string): Money => ({ amount, currency: 'USD' });

export const bought = (transactionId: string, more: Partial<TransactionFact> = {}): TransactionFact => ({
  transactionId,
  kind: 'subscription',
  productId: 'pro.monthly',
  basePlanId: null,
  offerId: null,
  phase: 'regular',
  purchasedAt: now,
  startsAt: now,
  expiresAt: now + 30 * day,
  price: usd('9.99'),
  isEstimate: false,
  isFamilyShared: false,
  isUpgraded: false,
  ...more,
});

export const trial = (transactionId: string, more: Partial<TransactionFact> = {}) =>
  bought(transactionId, { phase: 'trial', price: usd('0'), ...more });

export const oneTime = (transactionId: string, productId: string, more: Partial<TransactionFact> = {}) =>
  bought(transactionId, { kind: 'one_time', productId, expiresAt: null, ...more });

export const standing = (more: Partial<SubscriptionFact> = {}): SubscriptionFact => ({
  status: 'active',
  productId: 'pro.monthly',
  basePlanId: null,
  offerId: null,
  transactionId: '2000',
  startsAt: now,
  expiresAt: now + 30 * day,
  graceExpiresAt: null,
  isOpenEnded: false,
  willRenew: true,
  renewsAs: null,
  unsubscribedAt: null,
  billingIssueAt: null,
  cancellationReason: null,
  ...more,
});

export const refunded = (transactionId: string, refundedAt: number, more: Partial<RefundFact> = {}): RefundFact => ({
  refundId: `${transactionId}:${refundedAt}`,
  transactionId,
  refundedAt,
  amount: null,
  reason: null,
  ...more,
});

export const observed = (more: Partial<ObservedPurchase> = {}): ObservedPurchase => ({
  store: 'app_store',
  environment: 'production',
  observedAt: now,
  subscription: null,
  transactions: [],
  refunds: [],
  reversedRefunds: [],
  revokedTransactions: [],
  ...more,
});

export const attribution = (more: Partial<Attribution> = {}): PurchaseOrigin => ({
  paywallId: 12,
  placementId: 'onboarding',
  isExperiment: true,
  aiPricingModelId: 3,
  abTestId: null,
  decisionId: null,
  impressionId: null,
  ...more,
});

export const claimBy = (profileId: string, more: Partial<PurchaseClaim> = {}): PurchaseClaim => ({
  profileId,
  transactionId: null,
  source: null,
  restorePolicy: 'transfer',
  origin: null,
  clientReported: null,
  ...more,
});

export const notified = (notificationId: string, notificationType = 'DID_RENEW') => ({
  notificationId,
  notificationType,
  subtype: null,
});

const rates: readonly ExchangeRate[] = [
  { day: '2026-11-20', currency: 'JPY', usdPerUnit: '0.006764705882' },
  { day: '2026-11-20', currency: 'EUR', usdPerUnit: '1.15' },
];

export const observe = (observation: ObservedPurchase, more: Partial<ObservePurchase['body']> = {}): ObservePurchase =>
  commandFor(ObservePurchase, {
    key: chainId,
    issuedAt: observation.observedAt + 100,
    body: {
      observation,
      originalTransactionId: observation.store === 'play_store' ? null : '1000',
      accountProfileId: null,
      isReplaced: false,
      claim: null,
      notification: null,
      rates: [...rates],
      ...more,
    },
  });

/** What the commands, one after another, led to. A refused one led to nothing. */
export function lived(...commands: readonly PurchaseCommand[]) {
  let stream: PurchaseStream = purchaseDecider.initialState;
  const events: PurchaseEvent[] = [];
  for (const command of commands) {
    const decision = decide(purchaseDecider, command, stream);
    if (isRefusal(decision)) continue;
    events.push(...decision.events);
    stream = decision.events.reduce(purchaseDecider.evolve, stream);
  }
  const { chain } = stream;
  const labels = events.flatMap(({ body }) => ('labels' in body ? body.labels : []));
  return { stream, chain, events, labels, view: (profileId: string, at = now) => viewOf(profileId, chain, at) };
}

const viewOf = (profileId: string, chain: PurchaseStream['chain'], at: number) =>
  purchaseViewOf(profileId, [chain], { current: products, archived: [] }, at);
