import { describe, expect, it } from '@jest/globals';
import { RefundFact, TransactionFact } from '@paywright/contracts';
import { transactionPayload, type Fields } from '../testing/app-store-payloads.ts';
import { SignedTransaction } from './signed-payloads.ts';
import { noon } from './testing/app-store-world.ts';
import { endedWithoutMoney, refundFacts, takenWithoutMoney, transactionFact } from './transaction-fact.ts';

const day = 86_400_000;
const signed = (fields: Fields) => SignedTransaction.parse(transactionPayload(noon, fields));
const factOf = (fields: Fields, boughtAnewAt: number | null = null) => transactionFact(signed(fields), boughtAnewAt);

describe('a transaction', () => {
  it('tells every field of a paid period', () => {
    const fact = factOf({ offerIdentifier: 'spring', webOrderLineItemId: '34343' });
    expect(fact).toEqual({
      transactionId: '2000',
      purchaseId: '34343',
      kind: 'subscription',
      productId: 'pro.monthly',
      basePlanId: null,
      offerId: 'spring',
      phase: 'regular',
      purchasedAt: noon,
      startsAt: noon,
      expiresAt: noon + 30 * day,
      price: { amount: '9.99', currency: 'USD' },
      isEstimate: false,
      isFamilyShared: false,
      isUpgraded: false,
      offer: null,
    });
    expect(TransactionFact.parse(fact)).toEqual(fact);
    expect(factOf({ isUpgraded: true })).toMatchObject({ isUpgraded: true, offerId: null });
  });

  it.each([
    ['Auto-Renewable Subscription', 'subscription'],
    ['Non-Renewing Subscription', 'one_time'],
    ['Non-Consumable', 'one_time'],
    ['Consumable', 'one_time'],
  ])('of the type %s is %s, and none but a subscription ends or has phases', (type, kind) => {
    const ofKind =
      kind === 'subscription'
        ? { kind, phase: 'trial', expiresAt: noon + 30 * day, price: { amount: '0' } }
        : { kind, phase: 'regular', expiresAt: null, price: { amount: '9.99' } };
    expect(factOf({ type, offerDiscountType: 'FREE_TRIAL' })).toMatchObject(ofKind);
  });

  it.each<[Fields, string | null]>([
    [{ billingPlanType: 'MONTHLY' }, 'MONTHLY'],
    [{ billingPlanType: 'BILLED_UPFRONT' }, null],
    [{ billingPlanType: 7 }, null],
    [{}, null],
  ])('with %j is of the plan %s of its product', (fields, plan) => expect(factOf(fields)?.basePlanId).toBe(plan));

  it.each<[Fields, true | undefined]>([
    [{ price: 0 }, true],
    [{ type: 'Non-Consumable', price: 0, offerType: 3, offerDiscountType: 'ONE_TIME' }, true],
    [{}, undefined],
    [{ price: undefined }, undefined],
    [{ price: 0, offerType: 3, offerDiscountType: 'FREE_TRIAL' }, undefined],
    [{ price: 0, inAppOwnershipType: 'FAMILY_SHARED' }, undefined],
  ])('with %j is free: %s', (fields, isFree) => expect(factOf(fields)?.isFree).toBe(isFree));

  it.each([
    ['Auto-Renewable Subscription', '34343'],
    ['Non-Consumable', '1000'],
    ['Non-Renewing Subscription', undefined],
    ['Consumable', undefined],
  ])('of the type %s is the purchase %s, under whatever id', (type, purchaseId) => {
    expect(factOf({ type, webOrderLineItemId: '34343' })?.purchaseId).toBe(purchaseId);
    expect(factOf({ type: 'Auto-Renewable Subscription' })).not.toHaveProperty('purchaseId');
  });

  it.each(['Subscription of tomorrow', 'constructor'])('of the type %s is none', (type) =>
    expect(factOf({ type })).toBeNull(),
  );

  it.each<[Fields, number | null, number | undefined]>([
    [{}, noon - day, noon - day],
    [{}, noon, noon],
    [{}, noon + 1, undefined],
    [{}, null, undefined],
    [{ originalPurchaseDate: noon - 2 * day }, null, noon - 2 * day],
    [{ originalPurchaseDate: noon - 2 * day }, noon - 3 * day, noon - 2 * day],
    [{ transactionReason: 'PURCHASE' }, noon - day, undefined],
  ])('renews, with %j and bought anew at %s, what was bought at %s', (fields, boughtAnewAt, at) => {
    const renewal = { transactionReason: 'RENEWAL', originalPurchaseDate: undefined, ...fields };
    const fact = factOf(renewal, boughtAnewAt);
    expect(fact?.originallyPurchasedAt).toBe(at);
    expect(fact && 'originallyPurchasedAt' in fact).toBe(at !== undefined);
  });

  it.each<[Fields, object | null]>([
    [{}, null],
    [
      { offerType: 1, offerDiscountType: 'FREE_TRIAL' },
      { kind: 'introductory', type: 'free_trial' },
    ],
    [
      { offerType: 2, offerDiscountType: 'PAY_AS_YOU_GO' },
      { kind: 'promotional', type: 'pay_as_you_go' },
    ],
    [
      { offerType: 4, offerDiscountType: 'FREE_TRIAL' },
      { kind: 'promotional', type: 'free_trial' },
    ],
    [{ offerType: 1 }, { kind: 'introductory', type: null }],
    [{ offerType: 2 }, { kind: 'promotional', type: null }],
    [{ offerDiscountType: 'PAY_UP_FRONT' }, { kind: 'introductory', type: 'pay_up_front' }],
    [
      { offerType: 3, offerDiscountType: 'OF_TOMORROW' },
      { kind: 'promotional', type: null },
    ],
    [
      { offerType: 3, offerDiscountType: 'constructor' },
      { kind: 'promotional', type: null },
    ],
  ])('with %j is under the offer %j', (fields, offer) => expect(factOf(fields)?.offer).toEqual(offer));

  it.each<[Fields, object | null]>([
    [{ price: 0 }, { amount: '0', currency: 'USD' }],
    [{ price: undefined }, null],
    [{ currency: undefined }, null],
    [{ currency: 'usd' }, null],
    [{ offerDiscountType: 'FREE_TRIAL' }, { amount: '0', currency: 'USD' }],
    [{ offerDiscountType: 'PAY_UP_FRONT' }, { amount: '9.99', currency: 'USD' }],
    [{ inAppOwnershipType: 'FAMILY_SHARED' }, { amount: '0', currency: 'USD' }],
    [{ inAppOwnershipType: 'ASSIGNED' }, { amount: '0', currency: 'USD' }],
  ])('with %j costs %j', (fields, price) => expect(factOf(fields)?.price).toEqual(price));

  const seats = [
    { price: 9990, quantity: 5 },
    { price: 7990, quantity: 3 },
  ];
  it.each<[string, Fields, string]>([
    ['of all its seats', { multiSeatInfo: { priceTiers: seats } }, '73.92'],
    ['of nothing in a trial', { offerDiscountType: 'FREE_TRIAL', multiSeatInfo: { priceTiers: seats } }, '0'],
    ['of nothing, of an assigned seat', { inAppOwnershipType: 'ASSIGNED', multiSeatInfo: { priceTiers: seats } }, '0'],
    ['that is told, if the seats are not', { multiSeatInfo: { priceTiers: [] } }, '9.24'],
    ['that is told, if the seats cannot be read', { multiSeatInfo: { priceTiers: [{ price: '1' }] } }, '9.24'],
  ])('of several seats has the price %s', (_, fields, amount) =>
    expect(factOf({ price: 9240, quantity: 8, ...fields })?.price).toEqual({ amount, currency: 'USD' }),
  );

  it.each<[Fields, string]>([
    [{}, 'prorated'],
    [{ offerType: 1, offerDiscountType: 'PAY_AS_YOU_GO' }, 'prorated'],
    [{ offerType: 1, offerDiscountType: 'FREE_TRIAL' }, 'trial'],
    [{ originalPurchaseDate: noon }, 'regular'],
    [{ transactionReason: 'RENEWAL' }, 'regular'],
    [{ additionalTransactionReason: 'OF_TOMORROW' }, 'regular'],
    [{ additionalTransactionReason: undefined }, 'regular'],
  ])('for seats that are added to a period, with %j, is of the phase %s', (fields, phase) => {
    const added = { additionalTransactionReason: 'SEAT_ADDITION', originalPurchaseDate: noon - 10 * day, ...fields };
    const fact = factOf(added);
    expect(fact).toMatchObject({ phase });
    if (phase === 'prorated') expect(fact).toMatchObject({ originallyPurchasedAt: noon - 10 * day });
  });

  it('that was bought again after a lapse is no seat that was added, though seats are added to it later', () => {
    const again = { additionalTransactionReason: 'SEAT_ADDITION', originalPurchaseDate: noon - 400 * day };
    expect(factOf(again, noon)).toMatchObject({ phase: 'regular' });
    expect(factOf(again, noon)).not.toHaveProperty('originallyPurchasedAt');
    expect(factOf(again, noon - day)).toMatchObject({ phase: 'prorated', originallyPurchasedAt: noon - day });
  });

  it.each([
    ['PURCHASED', false],
    ['FAMILY_SHARED', true],
    ['ASSIGNED', true],
    ['OF_TOMORROW', false],
    [undefined, false],
  ])('that Apple calls %s was paid by somebody else: %s', (inAppOwnershipType, isFamilyShared) =>
    expect(factOf({ inAppOwnershipType })).toMatchObject({ isFamilyShared }),
  );
});

describe('a refund', () => {
  const refundOf = (fields: Fields) => refundFacts(signed({ revocationDate: noon + 1, ...fields }))[0] ?? null;

  it('tells every field, its amount null: all of it', () => {
    const refund = refundOf({});
    expect(refund).toEqual({
      refundId: `2000:${noon + 1}`,
      transactionId: '2000',
      refundedAt: noon + 1,
      amount: null,
      reason: null,
    });
    expect(RefundFact.parse(refund)).toEqual(refund);
    expect(refundFacts(signed({}))).toEqual([]);
  });

  it.each([
    [0, 'other'],
    [1, 'issue'],
    [2, null],
  ])('for the reason %i is for %s', (revocationReason, reason) =>
    expect(refundOf({ revocationReason, revocationType: 'REFUND_FULL' })?.reason).toBe(reason),
  );

  const prorated = { revocationType: 'REFUND_PRORATED', revocationPercentage: 25_000 };
  it.each<[Fields, object | null]>([
    [prorated, { amount: '2.4975', currency: 'USD' }],
    [
      { ...prorated, revocationPercentage: 100_000 },
      { amount: '9.99', currency: 'USD' },
    ],
    [
      { ...prorated, multiSeatInfo: { priceTiers: [{ price: 9990, quantity: 4 }] } },
      { amount: '9.99', currency: 'USD' },
    ],
    [{ ...prorated, revocationType: 'REFUND_FULL' }, null],
    [
      { ...prorated, revocationType: 'OF_TOMORROW' },
      { amount: '2.4975', currency: 'USD' },
    ],
    [{ revocationReason: 1 }, null],
    [{ revocationType: 'REFUND_FULL', revocationReason: 2 }, null],
    [{ revocationType: 'REFUND_FULL', isUpgraded: true }, null],
    [{ ...prorated, price: undefined }, null],
    [{ ...prorated, currency: undefined }, null],
  ])('with %j gives back %j', (fields, amount) => expect(refundOf(fields)).toMatchObject({ amount }));

  it('of a share holds what went back of the transaction before', () => {
    expect(refundOf(prorated)).toMatchObject({ isCumulative: true });
    expect(RefundFact.parse(refundOf(prorated))).toEqual(refundOf(prorated));
    expect(refundOf({})).not.toHaveProperty('isCumulative');
  });

  it.each<[Fields, boolean]>([
    [{}, false],
    [prorated, false],
    [{ revocationPercentage: undefined }, false],
    [{ ...prorated, revocationPercentage: undefined }, true],
    [{ ...prorated, revocationPercentage: 0 }, true],
    [{ revocationType: 'FAMILY_REVOKE' }, true],
    [{ inAppOwnershipType: 'FAMILY_SHARED' }, true],
    [{ inAppOwnershipType: 'ASSIGNED', revocationType: 'OF_TOMORROW' }, true],
    [{ revocationType: 'OF_TOMORROW' }, true],
    [{ revocationReason: 2 }, true],
    [{ isUpgraded: true }, true],
    [{ isUpgraded: true, revocationReason: 1 }, false],
    [{ isUpgraded: true, ...prorated }, false],
    [{ revocationType: 'REFUND_FULL', isUpgraded: true }, false],
  ])('with %j is none, but the end of access without money: %s', (fields, isWithoutMoney) => {
    expect(refundOf(fields) === null).toBe(isWithoutMoney);
    expect(endedWithoutMoney(signed({ revocationDate: noon, ...fields }))).toBe(isWithoutMoney);
    expect(endedWithoutMoney(signed(fields))).toBe(false);
  });
});

describe('a refund of some seats', () => {
  const multiSeatInfo = { priceTiers: [{ price: 9990, quantity: 8 }], revokedSeatQuantity: 2 };
  const refundsOf = (fields: Fields) => refundFacts(signed({ multiSeatInfo, revocationPercentage: 20_000, ...fields }));

  it('is a share of what all cost, holds those of before, and leaves the others', () => {
    const refunds = refundsOf({});
    expect(refunds).toEqual([
      {
        refundId: '2000:seats:2',
        transactionId: '2000',
        refundedAt: noon,
        amount: { amount: '15.984', currency: 'USD' },
        reason: null,
        isCumulative: true,
        isOfItem: true,
      },
    ]);
    expect(RefundFact.parse(refunds[0])).toEqual(refunds[0]);
    expect(takenWithoutMoney(signed({ multiSeatInfo, revocationPercentage: 20_000 }))).toBe(false);
  });

  it.each<[Fields]>([
    [{ revocationPercentage: undefined }],
    [{ revocationPercentage: 0 }],
    [{ multiSeatInfo: { ...multiSeatInfo, revokedSeatQuantity: 0 } }],
    [{ multiSeatInfo: { ...multiSeatInfo, revokedSeatQuantity: undefined } }],
    [{ inAppOwnershipType: 'ASSIGNED' }],
    [{ currency: undefined }],
  ])('is no fact about money with %j', (fields) => expect(refundsOf(fields)).toEqual([]));

  it('is told no more once all are given back', () => {
    expect(refundsOf({ revocationDate: noon + 1 })).toMatchObject([{ refundId: `2000:${noon + 1}`, amount: null }]);
  });
});

describe('refunds of single items', () => {
  const item = (SKU: string, price: number, ...refunds: Fields[]) => ({ SKU, price, refunds });
  const back = (refundAmount: number | undefined, refundType = 'CUSTOM', refundDate: number | undefined = noon) => ({
    ...{ refundAmount, refundType, refundDate },
    refundReason: 'FULFILLMENT_ISSUE',
  });
  const refundsOf = (items: readonly object[], fields: Fields = {}) =>
    refundFacts(signed({ advancedCommerceInfo: { items }, ...fields }));
  const usd = (amount: string) => ({ amount, currency: 'USD' });

  it('are money of the transaction, each once, and leave what was bought', () => {
    const refunds = refundsOf([item('gold', 5990, back(1500)), item('silver', 4000, back(500), back(250))]);
    const told = { transactionId: '2000', refundedAt: noon, reason: 'FULFILLMENT_ISSUE', isOfItem: true };
    expect(refunds).toEqual([
      { ...told, refundId: `2000:gold:${noon}`, amount: usd('1.5') },
      { ...told, refundId: `2000:silver:${noon}`, amount: usd('0.5') },
      { ...told, refundId: `2000:silver:${noon}:1`, amount: usd('0.25') },
    ]);
    for (const refund of refunds) expect(RefundFact.parse(refund)).toEqual(refund);
    expect(takenWithoutMoney(signed({ advancedCommerceInfo: { items: [item('gold', 5990, back(1))] } }))).toBe(false);
  });

  it('without an amount are of the whole item, if they are full; else nobody knows', () => {
    expect(refundsOf([item('gold', 5990, back(undefined, 'FULL'))])).toMatchObject([{ amount: usd('5.99') }]);
    expect(refundsOf([item('gold', 5990, back(undefined, 'PRORATED'))])).toEqual([]);
    expect(refundsOf([item('gold', 5990, { refundAmount: 1, refundType: 'CUSTOM' })])).toEqual([]);
  });

  it('are all that went back with a transaction that is taken back, if each item tells of its own', () => {
    const revoked = { revocationDate: noon + 1 };
    const told = [item('gold', 5990, back(3000, 'PRORATED')), item('silver', 4000, back(2000, 'PRORATED'))];
    expect(refundsOf(told, revoked)).toMatchObject([{ amount: usd('3') }, { amount: usd('2') }]);
    expect(takenWithoutMoney(signed({ advancedCommerceInfo: { items: told }, ...revoked }))).toBe(true);
    const untold = [told[0]!, item('silver', 4000)];
    expect(refundsOf(untold, revoked)).toMatchObject([{ amount: usd('3') }, { amount: null, refundedAt: noon + 1 }]);
    expect(takenWithoutMoney(signed({ advancedCommerceInfo: { items: untold }, ...revoked }))).toBe(false);
    expect(refundsOf([item('gold', 9990)], revoked)).toMatchObject([{ amount: null }]);
    expect(refundsOf([], revoked)).toMatchObject([{ amount: null }]);
  });

  it('that cannot be read are no reason to refuse the rest', () => {
    expect(refundFacts(signed({ advancedCommerceInfo: { items: [{ refunds: 1 }] } }))).toEqual([]);
    expect(refundFacts(signed({ advancedCommerceInfo: 1 }))).toEqual([]);
    expect(refundsOf([item('gold', 9990, back(1))], { inAppOwnershipType: 'FAMILY_SHARED' })).toEqual([]);
    expect(refundsOf([item('gold', 9990, back(1))], { currency: undefined })).toEqual([]);
  });
});
