import type { AppStorePki } from '@paywright/stores/testing';
import { isZero, microsOf, milliunits } from '../domain/amounts.ts';
import { givenBackOf } from '../domain/payments.ts';
import { paymentIdOf } from '../state/ids.ts';
import { lastPeriod, type EndReason, type Period, type Purchase, type Standing } from '../domain/purchase.ts';

/** The subscription group: all products of an app are in one. */
const groupOf = ({ appId }: Purchase) => String(20_000_000 + appId);
const environmentOf = ({ environment }: Purchase) => (environment === 'sandbox' ? 'Sandbox' : 'Production');

const statusNumber: Readonly<Record<Standing, number>> = { running: 1, ended: 2, retry: 3, grace: 4, paused: 2 };

/** Apple's word for how the subscription stands, 1 to 5. */
export function statusOf({ standing, endReason }: Purchase): number {
  const isRevoked = standing === 'ended' && (endReason === 'refund' || endReason === 'revoked');
  return isRevoked ? 5 : statusNumber[standing];
}

const expirationIntents: Readonly<Partial<Record<EndReason, number>>> = {
  voluntary: 1,
  billing: 2,
  'price-increase': 3,
  other: 5,
};

/** Signs what the App Store says of a purchase. */
export class SignedParts {
  readonly #pki: AppStorePki;

  constructor(pki: AppStorePki) {
    this.#pki = pki;
  }

  sign(payload: object): string {
    return this.#pki.sign(payload);
  }

  /** A transaction of the purchase, as the store signs it at that time. */
  transaction(purchase: Purchase, bundleId: string, number: number, signedDate: number): string {
    const period = purchase.periods[number] ?? lastPeriod(purchase);
    return this.sign({
      transactionId: paymentIdOf(purchase, period.number),
      originalTransactionId: purchase.id,
      webOrderLineItemId: String(BigInt(purchase.id) + 5_000n + BigInt(period.number)),
      bundleId,
      ...soldIn(purchase, period),
      quantity: purchase.quantity ?? 1,
      inAppOwnershipType: purchase.isFamilyShared ? 'FAMILY_SHARED' : 'PURCHASED',
      environment: environmentOf(purchase),
      originalPurchaseDate: purchase.periods[0].paidAt,
      purchaseDate: period.startsAt,
      transactionReason: period.isBoughtAgain || isBoughtAnew(purchase, period) ? 'PURCHASE' : 'RENEWAL',
      // Of all pieces.
      price: milliunits(period.amount),
      currency: purchase.currency,
      storefront: purchase.country,
      storefrontId: '143441',
      ...(purchase.account !== null && { appAccountToken: purchase.account }),
      ...revocationOf(purchase, period),
      signedDate,
    });
  }

  /** The renewal info of a subscription; null for what is bought once. */
  renewal(purchase: Purchase, signedDate: number): string | null {
    if (purchase.kind === 'one-time') return null;
    const { terms, nextTerms, standing, until, endReason, willRenew } = purchase;
    const next = nextTerms ?? terms;
    const intent = endReason === null ? undefined : expirationIntents[endReason];
    return this.sign({
      originalTransactionId: purchase.id,
      environment: environmentOf(purchase),
      productId: terms.productId,
      autoRenewProductId: next.productId,
      autoRenewStatus: willRenew ? 1 : 0,
      ...(standing === 'ended' && intent !== undefined && { expirationIntent: intent }),
      ...(standing === 'grace' && { gracePeriodExpiresDate: until }),
      ...((standing === 'grace' || standing === 'retry') && { isInBillingRetryPeriod: true }),
      ...(nextTerms !== null && { priceIncreaseStatus: purchase.awaitsConsent ? 0 : 1 }),
      renewalDate: lastPeriod(purchase).endsAt,
      renewalPrice: milliunits(next.price),
      currency: purchase.currency,
      recentSubscriptionStartDate: purchase.periods.findLast((period) => isBoughtAnew(purchase, period))?.startsAt,
      ...(purchase.account !== null && { appAccountToken: purchase.account }),
      signedDate,
    });
  }
}

/** Apple tries to collect a payment for 60 days: what comes later is bought anew. */
const longestLapse = 60 * 86_400_000;

function isBoughtAnew({ periods }: Purchase, { number, startsAt }: Period): boolean {
  const before = periods[number - 1];
  return before === undefined || startsAt - (before.endsAt ?? startsAt) > longestLapse;
}

function soldIn(purchase: Purchase, period: Period) {
  const { productId } = period.terms;
  if (purchase.kind === 'one-time') return { productId, type: purchase.isConsumable ? 'Consumable' : 'Non-Consumable' };
  const { offer } = purchase;
  return {
    productId,
    type: 'Auto-Renewable Subscription',
    subscriptionGroupIdentifier: groupOf(purchase),
    expiresDate: period.endsAt,
    isUpgraded: period.isUpgraded,
    ...(period.phase !== 'regular' && {
      offerType: 1,
      offerDiscountType: offer?.discountType,
      ...(offer?.id != null && { offerIdentifier: offer.id }),
    }),
  };
}

function revocationOf(purchase: Purchase, period: Period) {
  const refund = period.refunds.findLast(({ reversedAt }) => reversedAt === null);
  if (refund) {
    const percentage = Number((microsOf(givenBackOf(period)) * 100_000n) / microsOf(period.amount));
    const isFull = percentage === 100_000 || isZero(period.amount);
    return {
      revocationDate: refund.at,
      revocationReason: 0,
      revocationType: isFull ? 'REFUND_FULL' : 'REFUND_PRORATED',
      ...(!isFull && { revocationPercentage: percentage }),
    };
  }
  const isRevoked = purchase.endReason === 'revoked' && period.number === lastPeriod(purchase).number;
  return isRevoked && { revocationDate: purchase.endedAt, revocationType: 'FAMILY_REVOKE' };
}
