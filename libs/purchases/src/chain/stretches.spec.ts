import { describe, expect, it } from '@jest/globals';
import type { TransactionFact } from '@paywright/contracts';
import { type Chain, emptyChain, type Movement } from './chain.ts';
import { awaitsOrigin, originsOf, stretchesOf, withObserved } from './stretches.ts';

const day = 86_400_000;
const start = Date.UTC(2026, 0, 1);

/** A month that was bought on that day. */
const month = (transactionId: string, onDay: number, more: Partial<TransactionFact> = {}): TransactionFact => ({
  ...{ transactionId, kind: 'subscription', productId: 'pro', basePlanId: null, offerId: null, phase: 'regular' },
  ...{ purchasedAt: start + onDay * day, startsAt: start + onDay * day, expiresAt: start + (onDay + 30) * day },
  ...{ price: { amount: '9.99', currency: 'USD' }, isEstimate: false, isFamilyShared: false, isUpgraded: false },
  ...more,
});
const renewed = { originallyPurchasedAt: start };
const moved = (transactionId: string, onDay: number): Movement => ({
  ...{ movementId: `of ${transactionId}`, type: 'charge', transactionId, time: start + onDay * day },
  ...{ originalTime: start + onDay * day, amount: '9.99', currency: 'USD', usd: '9.99', rate: '1', storeShare: null },
});
const subscription: Chain['subscription'] = {
  ...{ status: 'active', productId: 'pro', basePlanId: null, offerId: null, transactionId: 't9', startsAt: start },
  ...{ expiresAt: start, graceExpiresAt: null, isOpenEnded: false, willRenew: true, renewsAs: null },
  ...{ unsubscribedAt: null, billingIssueAt: null, cancellationReason: null },
};
const chainOf = (transactions: readonly TransactionFact[], more: Partial<Chain> = {}): Chain => ({
  ...{ ...emptyChain, chainId: 'c', store: 'app_store', subscription, renewalUsd: '9.99' },
  transactions: Object.fromEntries(transactions.map((one) => [one.transactionId, one])),
  ...more,
});
/** What a store says at a moment of these transactions. */
const told = (transactions: TransactionFact[], more: Partial<Parameters<typeof withObserved>[1]> = {}) => ({
  ...{
    observedAt: start + 200 * day,
    transactions,
    refunds: [],
    reversedRefunds: [],
    revokedTransactions: [],
    ...more,
  },
});
const idsOf = (chain: Chain) => stretchesOf(chain).map((one) => Object.keys(one.chain.transactions));

describe('the stretches of a chain', () => {
  it('are one, as the chain is, where nothing was bought again', () => {
    const chain = chainOf([month('t1', 0), month('t2', 30, renewed)]);
    expect(stretchesOf(chain)).toEqual([{ boughtAt: start, chain }]);
    expect(stretchesOf(emptyChain)).toEqual([{ boughtAt: 0, chain: emptyChain }]);
  });

  it('begin where the App Store says that it was bought again behind the end of what was paid for', () => {
    const again = [month('t3', 200), month('t4', 230, { originallyPurchasedAt: start + 200 * day })];
    const movements = [moved('t1', 0), moved('t3', 200), moved('unheard of', 40)];
    const [first, second, ...others] = stretchesOf(
      chainOf([...again, month('t1', 0), month('t2', 30, renewed)], { movements }),
    );
    expect(others).toEqual([]);
    expect(Object.keys(first!.chain.transactions)).toEqual(['t1', 't2']);
    expect(first!.boughtAt).toBe(start);
    // Its end is known, and what the store says of renewal is of the other one.
    expect(first!.chain).toMatchObject({ subscription: null, renewalUsd: undefined, replacedAt: start + 60 * day });
    expect(second!.boughtAt).toBe(start + 200 * day);
    expect(second!.chain).toMatchObject({ subscription, replacedAt: null, renewalUsd: '9.99' });
    expect(first!.chain.movements.map(({ transactionId }) => transactionId)).toEqual(['t1', 'unheard of']);
    expect(second!.chain.movements.map(({ transactionId }) => transactionId)).toEqual(['t3']);
  });

  it('are known by a renewal alone, which names when it was bought', () =>
    expect(stretchesOf(chainOf([month('t1', 0), month('t4', 230, { originallyPurchasedAt: start + 200 * day })]))).toMatchObject([
      { boughtAt: start },
      { boughtAt: start + 200 * day },
    ])); // prettier-ignore

  it.each([
    ['collected late', [month('t1', 0), month('t2', 45, renewed)]],
    ['of a dearer plan, in the middle of a period', [month('t1', 0, { isUpgraded: true }), month('t2', 10)]],
    ['of a plan that follows at once', [month('t1', 0), month('t2', 30)]],
    ['money alone', [month('t1', 0), month('t2', 40, { buysPeriod: false })]],
    ['bought once, for ever', [month('t1', 0, { kind: 'one_time', expiresAt: null }), month('t2', 40)]],
  ])('are none of what is %s', (_, transactions) => expect(stretchesOf(chainOf(transactions))).toHaveLength(1));

  it('end with the plan that was changed to', () => {
    const year = month('t1', 0, { expiresAt: start + 365 * day, isUpgraded: true });
    expect(idsOf(chainOf([year, month('t2', 10), month('t3', 100)]))).toEqual([['t1', 't2'], ['t3']]);
  });

  it('end where the store gave the money back, if it did before the period ended', () => {
    const year = month('t1', 0, { expiresAt: start + 365 * day });
    const givenBack = (onDay: number, more: Partial<Chain> = {}) => {
      const refund = {
        refundId: 'r1',
        transactionId: 't1',
        refundedAt: start + onDay * day,
        amount: null,
        reason: null,
      };
      return chainOf([year, month('t2', 100)], { refunds: { r1: refund }, ...more });
    };
    expect(idsOf(givenBack(2))).toEqual([['t1'], ['t2']]);
    expect(stretchesOf(givenBack(2))[0]!.chain.replacedAt).toBe(start + 2 * day);
    expect(idsOf(givenBack(2, { reversedAt: { t1: start + 3 * day } }))).toEqual([['t1', 't2']]);
    expect(idsOf(givenBack(101))).toEqual([['t1', 't2']]);
    const renewal = month('t2', 100, renewed);
    expect(idsOf({ ...givenBack(2), transactions: { t1: year, t2: renewal } })).toEqual([['t1', 't2']]);
  });

  it('are of the App Store alone: elsewhere who buys again has another chain', () =>
    expect(idsOf(chainOf([month('t1', 0), month('t2', 60)], { store: 'stripe' }))).toHaveLength(1));
});

describe('what a transaction came of', () => {
  const origin = { ...{ paywallId: 7, placementId: null, isExperiment: null, aiPricingModelId: null }, ...{ abTestId: null, decisionId: null, impressionId: null } }; // prettier-ignore
  const transactions = [
    month('t1', 0),
    month('t9', 200),
    month('t10', 230, { originallyPurchasedAt: start + 200 * day }),
  ];
  const paywallsOf = (more: Partial<Chain>) =>
    transactions.map(({ transactionId }) => originsOf(chainOf(transactions, more))(transactionId)?.paywallId);

  it('is what the chain is attributed to, from the purchase on that it was attributed with', () => {
    expect(paywallsOf({})).toEqual([undefined, undefined, undefined]);
    expect(paywallsOf({ origin, attributedWith: 't1' })).toEqual([7, 7, 7]);
    expect(paywallsOf({ origin, attributedWith: 't9' })).toEqual([undefined, 7, 7]);
    expect(paywallsOf({ origin, attributedWith: 't10' })).toEqual([undefined, 7, 7]);
  });

  it('is what was attributed when it was bought again, from then on', () => {
    const again = { ...origin, paywallId: 9 };
    expect(paywallsOf({ origin, attributedWith: 't1', laterOrigins: { t9: again } })).toEqual([7, 9, 9]);
    expect(paywallsOf({ origin, laterOrigins: { t10: again } })).toEqual([7, 9, 9]);
    expect(paywallsOf({ origin, attributedWith: 't9', laterOrigins: { unknown: again } })).toEqual([undefined, 7, 7]);
  });

  it('is awaited until the chain is attributed, and once more when it is bought again', () => {
    const awaited = (more: Partial<Chain>) =>
      [null, 't1', 't9', 't10', 'unknown'].filter((id) => awaitsOrigin(chainOf(transactions, more), id));
    expect(awaited({})).toEqual([null, 't1', 't9', 't10', 'unknown']);
    expect(awaited({ origin })).toEqual(['t9', 't10']);
    expect(awaited({ origin, attributedWith: 't1' })).toEqual(['t9', 't10']);
    expect(awaited({ origin, attributedWith: 't9' })).toEqual([]);
    expect(awaited({ origin, attributedWith: 't1', laterOrigins: { t9: origin } })).toEqual([]);
    const chain = chainOf([month('t1', 0)], { origin, attributedWith: 't1' });
    expect(awaitsOrigin(withObserved(chain, told([month('t9', 200)])), 't9')).toBe(true);
    expect(awaitsOrigin(withObserved(chain, told([month('t2', 30, renewed)])), 't2')).toBe(false);
  });

  it('is awaited of what was bought instead of what the same word says was given back, or taken', () => {
    const year = month('t1', 0, { expiresAt: start + 365 * day });
    const chain = chainOf([year], { origin, attributedWith: 't1' });
    const refund = { refundId: 'r1', transactionId: 't1', refundedAt: start + 2 * day, amount: null, reason: null };
    const isAwaited = (more: Parameters<typeof told>[1], of = chain) =>
      awaitsOrigin(withObserved(of, told([month('t2', 100)], more)), 't2');
    expect(isAwaited({})).toBe(false);
    expect(isAwaited({ refunds: [refund] })).toBe(true);
    expect(isAwaited({ refunds: [refund], reversedRefunds: ['t1'] })).toBe(false);
    expect(isAwaited({ revokedTransactions: ['t1'], observedAt: start + 3 * day })).toBe(true);
    expect(isAwaited({ reversedRefunds: ['t1'] }, { ...chain, refunds: { r1: refund } })).toBe(false);
  });

  it('is that of the whole chain where nobody knows with what it was attributed', () => {
    expect(paywallsOf({ origin })).toEqual([7, 7, 7]);
    expect(paywallsOf({ origin, attributedWith: 'unheard of' })).toEqual([7, 7, 7]);
    expect(originsOf(chainOf(transactions, { origin, attributedWith: 't9' }))('unheard of')).toEqual(origin);
  });
});
