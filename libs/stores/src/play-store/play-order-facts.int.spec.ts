import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  playInstant,
  playOrder,
  type PlayPeriod,
  playPrice,
  playProduct,
  playSubscription,
} from '../testing/play-purchases.ts';
import { day, now, period, token, PlayScene } from '../testing/play-scene.ts';

let scene: PlayScene;
beforeEach(async () => {
  scene = await PlayScene.start();
});
afterEach(() => scene.stop());

describe('playStore.observe, money', () => {
  const lookUp = { purchaseToken: token, kind: 'subscription' } as const;
  const observe = (orderId: string | null = null) => scene.store().observe({ ...lookUp, orderId });

  it.each(['not-found', 'forbidden'] as const)('estimates by the list price when the order is %s', async (kind) => {
    scene.sold();
    scene.google.faults.push({ kind, on: /orders/ });
    expect((await observe())?.transactions).toMatchObject([
      {
        transactionId: 'GPA.1',
        purchasedAt: period.startsAt,
        price: { amount: '9.99', currency: 'USD' },
        isEstimate: true,
      },
    ]);
  });

  it.each(['introductoryPrice', 'prorationPeriod'] as const)(
    'estimates nothing of an order that is not shown in a phase of %s, which costs less than the list price, or nothing',
    async (phase) => {
      scene.sold({}, { of: { phase }, total: 'USD 0.99' });
      expect((await observe())?.transactions).toMatchObject([{ price: { amount: '0.99' }, isEstimate: false }]);
      scene.google.orders.clear();
      expect((await observe())?.transactions).toMatchObject([
        { transactionId: 'GPA.1', price: null, isEstimate: false },
      ]);
      expect(await scene.store().unreadOrders(lookUp)).toEqual(['GPA.1']);
    },
  );

  it('tells which orders it did not show, but for those that earn nothing', async () => {
    const unread = (orderId: string | null = null) => scene.store().unreadOrders({ ...lookUp, orderId });
    const hide = () => scene.google.orders.clear();
    scene.sold();
    expect([await unread(), await unread('GPA.0')]).toEqual([[], ['GPA.0']]);
    hide();
    expect([await unread(), await unread('GPA.0')]).toEqual([['GPA.1'], ['GPA.1', 'GPA.0']]);
    scene.sold({ testPurchase: {} });
    hide();
    expect(await unread()).toEqual([]);
    scene.sold({}, { of: { phase: 'freeTrial' } });
    hide();
    expect([await unread(), await unread('GPA.1')]).toEqual([[], []]);
    const lines = [period, { ...period, productId: 'coach' }].flatMap(
      (of, index) => playSubscription({ ...of, phase: index === 0 ? 'freeTrial' : 'basePrice' }).lineItems!,
    );
    scene.sold({ lineItems: lines });
    hide();
    expect(await unread()).toEqual(['GPA.1']);
    scene.google.products.set('coins', playProduct('coins100', 'GPA.2', now));
    scene.google.products.set('gift', playProduct('coins100', '', now, { orderId: null }));
    const product = (purchaseToken: string) => scene.store().unreadOrders({ purchaseToken, kind: 'one_time' });
    expect([await product('coins'), await product('gift')]).toEqual([['GPA.2'], []]);
  });

  it('asks again for an order that is not decided yet', async () => {
    for (const state of ['PENDING', 'OF_TOMORROW']) {
      scene.sold({}, { order: { state } });
      expect(await scene.store().unreadOrders(lookUp)).toEqual(['GPA.1']);
      expect((await observe())?.transactions).toEqual([]);
    }
    scene.sold({}, { order: { state: 'CANCELED' } });
    expect(await scene.store().unreadOrders(lookUp)).toEqual([]);
  });

  it('asks again for an order whose money, or a part of it, is on its way back', async () => {
    const part = (state: string) => ({
      createTime: playInstant(now),
      state,
      refundDetails: { total: playPrice('USD 2') },
    });
    const unreadOf = async (order: Parameters<typeof playOrder>[2]) => {
      scene.sold({}, { order });
      return scene.store().unreadOrders(lookUp);
    };
    const partialRefundEvents = [part('PROCESSED_SUCCESSFULLY'), part('PENDING')];
    const refundEvent = { eventTime: playInstant(now), refundReason: 'OTHER' };
    expect(await unreadOf({ state: 'PENDING_REFUND' })).toEqual(['GPA.1']);
    expect(await unreadOf({ state: 'PARTIALLY_REFUNDED', orderHistory: { partialRefundEvents } })).toEqual(['GPA.1']);
    expect(await unreadOf({ state: 'REFUNDED', orderHistory: { partialRefundEvents } })).toEqual([]);
    expect(await unreadOf({ state: 'PENDING_REFUND', orderHistory: { refundEvent } })).toEqual([]);
    expect(await unreadOf({ state: 'PARTIALLY_REFUNDED' })).toEqual([]);
  });

  it('asks again for an order that was voided and shows no refund', async () => {
    const voided = { ...lookUp, orderId: 'GPA.1', isVoided: true };
    scene.sold();
    expect(await scene.store().unreadOrders(voided)).toEqual(['GPA.1']);
    scene.google.forgotten.add(token);
    expect(await scene.store().unreadOrders(voided)).toEqual(['GPA.1']);
    scene.sold({}, { order: { state: 'REFUNDED' } });
    expect(await scene.store().unreadOrders(voided)).toEqual([]);
    scene.google.forgotten.clear();
    expect(await scene.store().unreadOrders(voided)).toEqual([]);
    scene.sold({ testPurchase: {} });
    expect(await scene.store().unreadOrders(voided)).toEqual([]);
  });

  it('asks again for an order that was voided and shows no more than a part that went back before', async () => {
    const voided = { ...lookUp, orderId: 'GPA.1', isVoided: true };
    const part = { createTime: playInstant(now - day), state: 'PROCESSED_SUCCESSFULLY' };
    const partialRefundEvents = [{ ...part, refundDetails: { total: playPrice('USD 2') } }];
    const order = { state: 'PARTIALLY_REFUNDED', orderHistory: { partialRefundEvents } };
    scene.sold({}, { order });
    expect(await scene.store().unreadOrders(voided)).toEqual(['GPA.1']);
    scene.sold({}, { order: { ...order, state: 'REFUNDED' } });
    expect(await scene.store().unreadOrders(voided)).toEqual([]);
    scene.sold({}, { order: { state: 'CANCELED' } });
    expect(await scene.store().unreadOrders(voided)).toEqual([]);
  });

  it('takes all back of an order that was cancelled, should anything have been estimated of it', async () => {
    const cancellationEvent = { eventTime: playInstant(now - 1000) };
    scene.sold({}, { order: { state: 'CANCELED', orderHistory: { cancellationEvent } } });
    expect(await observe()).toMatchObject({
      transactions: [],
      refunds: [
        { refundId: 'GPA.1:full', transactionId: 'GPA.1', refundedAt: now - 1000, amount: null, reason: 'canceled' },
      ],
    });
  });

  describe('of what is bought once', () => {
    const coins = { purchaseToken: 'coins', kind: 'one_time' } as const;
    const ordered = (state: string) =>
      scene.google.orders.set('GPA.2', { orderId: 'GPA.2', state, total: playPrice('USD 4') });
    beforeEach(() => {
      scene.google.products.set('coins', playProduct('coins100', 'GPA.2', now));
    });

    it.each(['PENDING', 'OF_TOMORROW'])('gives what Google calls purchased while its order is %s', async (state) => {
      ordered(state);
      expect(await scene.store().observe(coins)).toMatchObject({
        transactions: [{ transactionId: 'GPA.2', productId: 'coins100', price: null }],
        refunds: [],
      });
      expect(await scene.store().unreadOrders(coins)).toEqual(['GPA.2']);
      ordered('PROCESSED');
      expect((await scene.store().observe(coins))?.transactions).toMatchObject([{ price: { amount: '4' } }]);
      expect(await scene.store().unreadOrders(coins)).toEqual([]);
    });

    it('takes it back where the order is then cancelled', async () => {
      ordered('CANCELED');
      expect(await scene.store().observe(coins)).toMatchObject({
        transactions: [],
        refunds: [{ transactionId: 'GPA.2', amount: null, reason: 'canceled' }],
      });
    });

    it('tells nothing of one that waits for its payment, whatever its order says', async () => {
      const waits = { purchaseStateContext: { purchaseState: 'PENDING' } };
      scene.google.products.set('coins', playProduct('coins100', 'GPA.2', now, waits));
      for (const state of ['PENDING', 'CANCELED']) {
        ordered(state);
        expect(await scene.store().observe(coins)).toMatchObject({ transactions: [], refunds: [] });
      }
    });
  });

  it('estimates neither a trial nor a period that nobody paid for yet', async () => {
    scene.sold({}, { of: { phase: 'freeTrial' } });
    scene.google.faults.push({ kind: 'not-found', on: /orders/ });
    expect((await observe())?.transactions).toMatchObject([
      { phase: 'trial', price: { amount: '0' }, isEstimate: false },
    ]);
    scene.sold({ subscriptionState: 'SUBSCRIPTION_STATE_ON_HOLD' });
    scene.google.faults.push({ kind: 'not-found', on: /orders/ });
    expect((await observe())?.transactions).toMatchObject([{ price: null, isEstimate: false }]);
  });

  it('takes the phase of what was paid from its order: the line is in the next one', async () => {
    scene.sold(
      { subscriptionState: 'SUBSCRIPTION_STATE_ON_HOLD' },
      { of: { phase: 'freeTrial' }, total: 'USD 0', line: { offerPhase: { basePrice: {} } } },
    );
    expect((await observe())?.transactions).toMatchObject([{ phase: 'trial', price: { amount: '0' } }]);
  });

  const dollars = (amount: string) => playPrice(`USD ${amount}`);
  const settled = (tax: string, revenue: string) => ({
    tax: dollars(tax),
    developerRevenueInBuyerCurrency: dollars(revenue),
  });
  const shareOf = async (order: Parameters<typeof playOrder>[2]) => {
    scene.sold({}, { total: 'USD 9.99', order });
    return (await observe())?.transactions[0]?.storeShare;
  };

  it('tells of what cost nothing, and was no trial, that it was free', async () => {
    const free = async (phase: NonNullable<PlayPeriod['phase']>, total: string, changes = {}) => {
      scene.sold(changes, { of: { phase }, total });
      return (await observe())?.transactions[0]?.isFree;
    };
    expect(await free('basePrice', 'USD 0')).toBe(true);
    expect(await free('basePrice', 'USD 0.01')).toBeUndefined();
    expect(await free('freeTrial', 'USD 0')).toBeUndefined();
    // What the former plan had cost, and was not used up, paid for it.
    expect(await free('prorationPeriod', 'USD 0')).toBeUndefined();
    scene.google.subscriptions.set('older', playSubscription({ ...period, productId: 'pro.yearly' }));
    expect(await free('basePrice', 'USD 0', { linkedPurchaseToken: 'older' })).toBeUndefined();
  });

  it('tells what Google keeps: what was paid without tax and the developer’s revenue', async () => {
    expect(await shareOf(settled('0', '8.49'))).toEqual({ amount: '1.5', currency: 'USD' });
    expect(await shareOf(settled('1.595042', '7.135725'))).toEqual({ amount: '1.259233', currency: 'USD' });
    expect(await shareOf({ ...settled('0', '9.99'), state: 'PENDING_REFUND' })).toEqual({
      amount: '0',
      currency: 'USD',
    });
  });

  it('does not know what Google keeps without tax or revenue, of another currency, or once money went back', async () => {
    expect(await shareOf({})).toBeUndefined();
    expect(await shareOf({ tax: dollars('0') })).toBeUndefined();
    expect(await shareOf({ developerRevenueInBuyerCurrency: dollars('8.49') })).toBeUndefined();
    expect(await shareOf({ ...settled('0', '8.49'), tax: playPrice('EUR 0') })).toBeUndefined();
    expect(await shareOf(settled('0', '10.99'))).toBeUndefined();
    expect(await shareOf({ ...settled('0', '0'), state: 'REFUNDED' })).toBeUndefined();
    const part = { createTime: playInstant(now), state: 'PROCESSED_SUCCESSFULLY' };
    const parts = (state: string) => ({
      ...settled('0', '8.49'),
      orderHistory: { partialRefundEvents: [{ ...part, state }] },
    });
    expect(await shareOf(parts('PROCESSED_SUCCESSFULLY'))).toBeUndefined();
    expect(await shareOf(parts('PENDING'))).toEqual({ amount: '1.5', currency: 'USD' });
  });

  it('tells of refunds, of parts and of the rest, also of an order before the latest', async () => {
    const part = {
      createTime: playInstant(now),
      processTime: playInstant(now + 1000),
      state: 'PROCESSED_SUCCESSFULLY',
      refundDetails: { total: playPrice('USD 2') },
    };
    const parts = { partialRefundEvents: [part, part, { ...part, state: 'PENDING' }] };
    scene.sold({}, { of: { orderId: 'GPA.1..1' } });
    scene.google.orders.set(
      'GPA.1',
      playOrder(period, 'USD 9.99', { state: 'PARTIALLY_REFUNDED', orderHistory: parts }),
    );
    const seen = await observe('GPA.1');
    expect(seen?.transactions.map(({ transactionId }) => transactionId)).toEqual(['GPA.1..1', 'GPA.1']);
    expect(seen?.subscription?.transactionId).toBe('GPA.1..1');
    expect(seen?.refunds).toEqual([
      {
        refundId: `GPA.1:${now}`,
        transactionId: 'GPA.1',
        refundedAt: now + 1000,
        amount: { amount: '2', currency: 'USD' },
        reason: null,
      },
      {
        refundId: `GPA.1:${now}:1`,
        transactionId: 'GPA.1',
        refundedAt: now + 1000,
        amount: { amount: '2', currency: 'USD' },
        reason: null,
      },
    ]);
    const full = { ...parts, refundEvent: { eventTime: playInstant(now + day), refundReason: 'CHARGEBACK' } };
    scene.google.orders.set('GPA.1', playOrder(period, 'USD 9.99', { state: 'REFUNDED', orderHistory: full }));
    expect((await observe('GPA.1'))?.refunds[2]).toEqual({
      refundId: 'GPA.1:full',
      transactionId: 'GPA.1',
      refundedAt: now + day,
      amount: null,
      reason: 'chargeback',
    });
  });

  it('names a part that was refunded as before, whatever has become of those made at the same time', async () => {
    const part = (total: string, state: string) => ({
      ...{ createTime: playInstant(now), state },
      refundDetails: { total: dollars(total) },
    });
    const partsOnce = async (first: string) => {
      const partialRefundEvents = [part('1', first), part('5', 'PROCESSED_SUCCESSFULLY')];
      scene.sold({}, { order: { state: 'PARTIALLY_REFUNDED', orderHistory: { partialRefundEvents } } });
      return (await observe())?.refunds.map(({ refundId, amount }) => [refundId, amount?.amount]);
    };
    expect(await partsOnce('PENDING')).toEqual([[`GPA.1:${now}:1`, '5']]);
    expect(await partsOnce('PROCESSED_SUCCESSFULLY')).toEqual([
      [`GPA.1:${now}`, '1'],
      [`GPA.1:${now}:1`, '5'],
    ]);
  });

  it('names the refund as the reason when it ended the subscription', async () => {
    scene.sold({ subscriptionState: 'SUBSCRIPTION_STATE_EXPIRED' }, { order: { state: 'REFUNDED' } });
    expect(await observe()).toMatchObject({
      subscription: { status: 'expired', cancellationReason: 'refund' },
      refunds: [{ refundId: 'GPA.1:full', amount: null }],
    });
  });
});
