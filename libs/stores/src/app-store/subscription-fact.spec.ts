import { describe, expect, it } from '@jest/globals';
import { SubscriptionFact } from '@paywright/contracts';
import fc from 'fast-check';
import { renewalPayload, transactionPayload, type Fields } from '../testing/app-store-payloads.ts';
import { SignedRenewal, SignedTransaction } from './signed-payloads.ts';
import { subscriptionFact } from './subscription-fact.ts';
import { noon } from './testing/app-store-world.ts';

const day = 86_400_000;

interface Said {
  readonly status?: number | null;
  readonly transaction?: Fields;
  readonly renewal?: Fields;
  readonly expirySubtype?: string | null;
}

const factOf = ({ status = 1, transaction = {}, renewal = {}, expirySubtype = null }: Said) =>
  subscriptionFact(
    {
      transaction: SignedTransaction.parse(transactionPayload(noon, transaction)),
      renewal: SignedRenewal.parse(renewalPayload(noon, renewal)),
      status,
      expirySubtype,
      unsubscribedAt: null,
    },
    3 * day,
  );

it('tells every field of a subscription that runs', () => {
  expect(factOf({ transaction: { offerIdentifier: 'spring' } })).toEqual({
    status: 'active',
    productId: 'pro.monthly',
    basePlanId: null,
    offerId: 'spring',
    transactionId: '2000',
    startsAt: noon,
    expiresAt: noon + 30 * day,
    graceExpiresAt: null,
    isOpenEnded: false,
    willRenew: true,
    renewsAs: null,
    unsubscribedAt: null,
    billingIssueAt: null,
    cancellationReason: null,
  });
  expect(factOf({}).offerId).toBeNull();
  expect(factOf({ transaction: { billingPlanType: 'MONTHLY' } }).basePlanId).toBe('MONTHLY');
});

describe('the product that it renews as', () => {
  const yearly = { autoRenewProductId: 'pro.yearly' };
  it.each<[Said, string | null]>([
    [{ renewal: yearly }, 'pro.yearly'],
    [{ renewal: { autoRenewProductId: 'pro.monthly' } }, null],
    [{ renewal: { autoRenewProductId: undefined } }, null],
    [{ renewal: { ...yearly, autoRenewStatus: 0 } }, null],
    [{ renewal: yearly, status: 2 }, null],
  ])('%j: %s', (said, productId) => expect(factOf(said).renewsAs).toBe(productId));
});

describe('the status', () => {
  it.each([
    [1, 'active'],
    [2, 'expired'],
    [3, 'billing_retry'],
    [4, 'grace'],
    [5, 'revoked'],
    [0, 'unknown'],
    [6, 'unknown'],
  ])('%i is %s', (status, ours) => expect(factOf({ status }).status).toBe(ours));

  it.each([
    [{ offerDiscountType: 'FREE_TRIAL', offerType: 3, price: 0 }, 'trial'],
    [{ offerDiscountType: 'PAY_UP_FRONT', offerType: 1 }, 'intro'],
    [{ offerDiscountType: 'PAY_AS_YOU_GO', offerType: 1 }, 'intro'],
    [{ offerType: 1, price: 0 }, 'active'],
  ])('of an active period sold with %j is %s', (transaction, ours) => {
    expect(factOf({ transaction }).status).toBe(ours);
  });

  it.each([
    [1, 'active'],
    [4, 'grace'],
    [5, 'revoked'],
    [null, 'revoked'],
  ])('of a period that another transaction paid for too is Apple’s, though one was given back (%s)', (status, ours) => {
    const transaction = { revocationDate: noon, additionalTransactionReason: 'SEAT_ADDITION' };
    expect(factOf({ status, transaction }).status).toBe(ours);
  });

  const over = { purchaseDate: noon - 31 * day, expiresDate: noon - day };
  it.each<[Said, string]>([
    [{}, 'active'],
    [{ transaction: { revocationDate: noon } }, 'revoked'],
    [{ transaction: over, renewal: { gracePeriodExpiresDate: noon + day } }, 'grace'],
    [{ transaction: over, renewal: { gracePeriodExpiresDate: noon, isInBillingRetryPeriod: true } }, 'billing_retry'],
    [{ transaction: over, renewal: { isInBillingRetryPeriod: false } }, 'expired'],
    [{ transaction: { expiresDate: noon } }, 'expired'],
    [{ transaction: { purchaseDate: noon + 1 } }, 'expired'],
    [{ transaction: { isUpgraded: true } }, 'expired'],
  ])('that is not said follows from %j: %s', (said, ours) => {
    expect(factOf({ ...said, status: null }).status).toBe(ours);
  });
});

describe('the reason for its end', () => {
  const off = { autoRenewStatus: 0 };
  it.each<[Said, string | null]>([
    [{}, null],
    [{ renewal: off }, 'voluntarily_cancelled'],
    [{ renewal: { ...off, expirationIntent: 3 } }, 'price_increase'],
    [{ status: 2 }, 'unknown'],
    [{ status: 2, renewal: { expirationIntent: 1 } }, 'voluntarily_cancelled'],
    [{ status: 2, renewal: { expirationIntent: 2 } }, 'billing_error'],
    [{ status: 2, renewal: { expirationIntent: 4 } }, 'product_was_not_available'],
    [{ status: 2, renewal: { expirationIntent: 5 } }, 'unknown'],
    [{ status: 2, renewal: { expirationIntent: -1 } }, 'unknown'],
    [{ status: 2, expirySubtype: 'BILLING_RETRY', renewal: { expirationIntent: 1 } }, 'billing_error'],
    [{ status: 2, expirySubtype: 'constructor', renewal: { expirationIntent: 1 } }, 'voluntarily_cancelled'],
    [{ status: 3, renewal: { expirationIntent: 2 } }, null],
    [{ status: 5, transaction: { revocationDate: noon } }, 'refund'],
    [{ status: 5, transaction: { revocationDate: noon, inAppOwnershipType: 'FAMILY_SHARED' } }, 'unknown'],
    [{ status: 5, transaction: { inAppOwnershipType: 'FAMILY_SHARED' } }, 'unknown'],
    [{ status: 5 }, 'refund'],
    [{ status: 5, transaction: { revocationDate: noon, inAppOwnershipType: 'ASSIGNED' } }, 'unknown'],
    [{ status: 5, transaction: { revocationDate: noon, revocationReason: 2 } }, 'unknown'],
    [{ status: 2, transaction: { isUpgraded: true } }, 'upgraded'],
  ])('%j: %s', (said, reason) => expect(factOf(said).cancellationReason).toBe(reason));
});

it('dates a billing issue by the period’s end, or by the news if that is earlier', () => {
  for (const status of [3, 4]) expect(factOf({ status }).billingIssueAt).toBe(noon);
  const over = { purchaseDate: noon - 40 * day, expiresDate: noon - 10 * day };
  expect(factOf({ status: 3, transaction: over }).billingIssueAt).toBe(noon - 10 * day);
  expect(factOf({ status: 1, transaction: over }).billingIssueAt).toBeNull();
});

it('counts a grace period of unknown end from the period’s end, and no other has one', () => {
  expect(factOf({ status: 4 }).graceExpiresAt).toBe(noon + 33 * day);
  expect(factOf({ status: 4, renewal: { gracePeriodExpiresDate: noon } }).graceExpiresAt).toBe(noon);
  expect(factOf({ renewal: { gracePeriodExpiresDate: noon } }).graceExpiresAt).toBeNull();
});

describe('what the next period costs', () => {
  it('is not that of a period which is paid otherwise: a year at once, or by the month', () => {
    const renewal = { renewalPrice: 99_990, currency: 'USD' };
    const priceOf = (paid: unknown, renewed: unknown) =>
      factOf({
        transaction: { billingPlanType: paid },
        renewal: { ...renewal, renewalBillingPlanType: renewed },
      }).renewalPrice?.amount;
    expect(priceOf('MONTHLY', 'MONTHLY')).toBe('99.99');
    expect(priceOf('MONTHLY', undefined)).toBe('99.99');
    expect(priceOf(undefined, 'BILLED_UPFRONT')).toBe('99.99');
    expect(priceOf('MONTHLY', 'BILLED_UPFRONT')).toBeUndefined();
    expect(priceOf('BILLED_UPFRONT', 'MONTHLY')).toBeUndefined();
  });

  const priced = { renewalPrice: 9990, currency: 'EUR' };
  const seats = [
    { price: 9990, quantity: 2 },
    { price: 7990, quantity: 1 },
  ];
  it.each<[Said, object | undefined]>([
    [{ renewal: priced }, { amount: '9.99', currency: 'EUR' }],
    [
      { renewal: priced, transaction: { offerDiscountType: 'FREE_TRIAL', price: 0 } },
      { amount: '9.99', currency: 'EUR' },
    ],
    [{ renewal: { ...priced, autoRenewProductId: 'pro.yearly' } }, { amount: '9.99', currency: 'EUR' }],
    [{ renewal: { ...priced, renewalPrice: 0 } }, { amount: '0', currency: 'EUR' }],
    [
      { renewal: { ...priced, renewalQuantity: 3, multiSeatInfo: { renewalPriceTiers: seats } } },
      { amount: '27.97', currency: 'EUR' },
    ],
    [{ renewal: { ...priced, renewalQuantity: 1 } }, { amount: '9.99', currency: 'EUR' }],
    [{ renewal: { ...priced, renewalQuantity: 3 } }, undefined],
    [{ renewal: { ...priced, renewalQuantity: 3, multiSeatInfo: { renewalPriceTiers: [{ price: 1 }] } } }, undefined],
    [{ renewal: { ...priced, currency: undefined, multiSeatInfo: { renewalPriceTiers: seats } } }, undefined],
    [{ renewal: { ...priced, autoRenewStatus: 0 } }, undefined],
    [{ renewal: priced, status: 2 }, undefined],
    [{}, undefined],
    [{ renewal: { ...priced, currency: undefined } }, undefined],
    [{ renewal: { ...priced, currency: 'euro' } }, undefined],
    [{ renewal: { ...priced, renewalPrice: '9.99' } }, undefined],
    [{ renewal: { ...priced, renewalPrice: -1 } }, undefined],
  ])('%j: %j', (said, price) => expect(factOf(said).renewalPrice).toEqual(price));
});

it('is a fact of the contract whatever Apple says, and entitled only by its word', () => {
  const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
  fc.assert(
    fc.property(
      maybe(fc.integer({ min: -1, max: 9 })),
      fc.record({
        isUpgraded: maybe(fc.boolean()),
        revocationDate: maybe(fc.nat()),
        offerDiscountType: maybe(fc.string({ minLength: 1 })),
      }),
      fc.record({
        autoRenewStatus: fc.integer({ min: -1, max: 3 }),
        expirationIntent: maybe(fc.integer()),
        gracePeriodExpiresDate: maybe(fc.nat()),
        autoRenewProductId: maybe(fc.string({ minLength: 1 })),
        renewalPrice: maybe(fc.anything()),
        renewalQuantity: maybe(fc.anything()),
        multiSeatInfo: maybe(fc.anything()),
        currency: maybe(fc.oneof(fc.constant('EUR'), fc.anything())),
      }),
      (status, transaction, renewal) => {
        const fact = factOf({ status: status ?? null, transaction, renewal });
        expect(SubscriptionFact.parse(fact)).toEqual(fact);
        const isEntitled = ['trial', 'intro', 'active', 'grace'].includes(fact.status);
        expect(isEntitled && !(status === undefined || status === 1 || status === 4)).toBe(false);
        expect(fact.willRenew && fact.cancellationReason !== null).toBe(false);
      },
    ),
  );
});
