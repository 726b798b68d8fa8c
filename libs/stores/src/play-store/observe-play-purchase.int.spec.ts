import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Observation } from '@paywright/contracts';
import { playInstant, playOrder, playPrice, playProduct, playSubscription } from '../testing/play-purchases.ts';
import { claim, day, now, period, token, PlayScene } from '../testing/play-scene.ts';

let scene: PlayScene;
beforeEach(async () => {
  scene = await PlayScene.start();
});
afterEach(() => scene.stop());

describe('playStore.observe', () => {
  const observe = (orderId: string | null = null) =>
    scene.store().observe({ purchaseToken: token, kind: 'subscription', orderId });

  it.each([
    ['ACTIVE', 'active', true, null],
    ['CANCELED', 'active', false, 'voluntarily_cancelled'],
    ['IN_GRACE_PERIOD', 'grace', true, null],
    ['ON_HOLD', 'billing_retry', true, null],
    ['PAUSED', 'paused', true, null],
    ['EXPIRED', 'expired', false, 'unknown'],
    ['PENDING', 'pending', true, null],
    ['PENDING_PURCHASE_CANCELED', 'expired', false, 'unknown'],
    ['UNSPECIFIED', 'unknown', false, null],
    ['SOMETHING_NEW', 'unknown', false, null],
  ] as const)('reads %s as %s', async (state, status, willRenew, cancellationReason) => {
    scene.sold({ subscriptionState: `SUBSCRIPTION_STATE_${state}` });
    const seen = await observe();
    expect(seen?.subscription).toMatchObject({ status, willRenew, cancellationReason });
    expect(Observation.parse(seen)).toEqual(seen);
  });

  it('ends what is paused with what was paid, whatever grace there was', async () => {
    const paused = { subscriptionState: 'SUBSCRIPTION_STATE_PAUSED' };
    scene.sold(paused, {
      of: { startsAt: now - 32 * day, endsAt: now - 2 * day },
      line: { expiryTime: playInstant(now + day) },
    });
    expect((await observe())?.subscription).toMatchObject({ status: 'paused', expiresAt: now - 2 * day });
    scene.sold(paused, { line: { expiryTime: playInstant(now - 2 * day) } });
    expect((await observe())?.subscription).toMatchObject({ status: 'paused', expiresAt: now - 2 * day });
    scene.google.orders.clear();
    expect((await observe())?.subscription).toMatchObject({ status: 'paused', expiresAt: now - 2 * day });
  });

  it.each([
    ['userInitiatedCancellation', { cancelTime: playInstant(now) }, 'voluntarily_cancelled', now],
    ['systemInitiatedCancellation', {}, 'billing_error', null],
    ['developerInitiatedCancellation', {}, 'unknown', null],
    ['replacementCancellation', {}, 'upgraded', null],
  ])('reads %s as its reason', async (by, context, cancellationReason, unsubscribedAt) => {
    for (const state of ['CANCELED', 'EXPIRED']) {
      scene.sold({ subscriptionState: `SUBSCRIPTION_STATE_${state}`, canceledStateContext: { [by]: context } });
      expect((await observe())?.subscription).toMatchObject({ cancellationReason, unsubscribedAt });
    }
  });

  it.each([
    ['GPA.1', undefined],
    ['GPA.1..0', now - 31 * day],
  ])(
    'tells when the purchase was made that the order %s renews, if it does',
    async (orderId, originallyPurchasedAt) => {
      scene.sold({ startTime: playInstant(now - 31 * day) }, { of: { orderId } });
      const seen = await observe();
      expect(seen?.transactions.map((one) => one.originallyPurchasedAt)).toEqual([originallyPurchasedAt]);
      expect(Observation.parse(seen)).toEqual(seen);
    },
  );

  it('keeps the phase of a cancelled trial', async () => {
    scene.sold({ subscriptionState: 'SUBSCRIPTION_STATE_CANCELED' }, { of: { phase: 'freeTrial' }, total: 'USD 0' });
    expect((await observe())?.subscription).toMatchObject({
      status: 'trial',
      willRenew: false,
      expiresAt: period.endsAt,
    });
  });

  const usual = { amount: '9.99', currency: 'USD' };
  const costing = (recurringPrice: object) => ({ autoRenewingPlan: { autoRenewEnabled: true, recurringPrice } });
  const changing = (priceChangeState: string, chargedAt: number | null, newPrice: object = playPrice('USD 12.99')) => {
    const at = chargedAt === null ? {} : { expectedNewPriceChargeTime: playInstant(chargedAt) };
    const priceChangeDetails = { newPrice, priceChangeState, ...at };
    return { autoRenewingPlan: { ...costing(playPrice('USD 9.99')).autoRenewingPlan, priceChangeDetails } };
  };
  const dearer = { amount: '12.99', currency: 'USD' };
  it.each<[string, Parameters<PlayScene['sold']>, object | undefined]>([
    ['nothing special', [], usual],
    ['a new price that is agreed to', [{}, { line: changing('CONFIRMED', period.endsAt) }], dearer],
    ['one that the next period needs the consent for', [{}, { line: changing('OUTSTANDING', period.endsAt) }], dearer],
    ['one that is charged later', [{}, { line: changing('CONFIRMED', period.endsAt + 30 * day) }], usual],
    ['one that was called off', [{}, { line: changing('CANCELED', period.endsAt) }], usual],
    ['one that is charged already', [{}, { line: changing('APPLIED', null) }], usual],
    ['one that cannot be read', [{}, { line: changing('CONFIRMED', period.endsAt, { units: '9' }) }], usual],
    ['a trial', [{}, { of: { phase: 'freeTrial' }, total: 'USD 0' }], usual],
    ['a grace', [{ subscriptionState: 'SUBSCRIPTION_STATE_IN_GRACE_PERIOD' }], usual],
    ['another price', [{}, { line: costing(playPrice('EUR 12.5')) }], { amount: '12.5', currency: 'EUR' }],
    ['a plan to come', [{}, { line: { deferredItemReplacement: { productId: 'pro.yearly' } } }], undefined],
    ['a cancellation', [{ subscriptionState: 'SUBSCRIPTION_STATE_CANCELED' }], undefined],
    ['no price', [{}, { line: { autoRenewingPlan: { autoRenewEnabled: true } } }], undefined],
    ['a price without a currency', [{}, { line: costing({ units: '9' }) }], undefined],
    ['a price below nothing', [{}, { line: costing({ currencyCode: 'USD', units: '-1' }) }], undefined],
  ])('tells what the next period costs, of %s', async (_, sold, renewalPrice) => {
    scene.sold(...sold);
    const seen = await observe();
    expect(seen?.subscription?.renewalPrice).toEqual(renewalPrice);
    expect(Observation.parse(seen)).toEqual(seen);
  });

  it('tells a plan of instalments as it is paid, also when it will end with the last that is owed', async () => {
    const payments = { initialCommittedPaymentsCount: 6, remainingCommittedPaymentsCount: 5, pendingCancellation: {} };
    const instalments = { ...costing(playPrice('USD 1.99')).autoRenewingPlan, installmentDetails: payments };
    scene.sold({}, { total: 'USD 1.99', line: { autoRenewingPlan: instalments } });
    const instalment = { amount: '1.99', currency: 'USD' };
    expect(await observe()).toMatchObject({
      subscription: { status: 'active', willRenew: true, expiresAt: period.endsAt, renewalPrice: instalment },
      transactions: [{ price: instalment, isEstimate: false, expiresAt: period.endsAt }],
    });
  });

  it('tells the end of the period from the end of the grace', async () => {
    const moved = { expiryTime: playInstant(period.endsAt + 7 * day) };
    scene.sold({ subscriptionState: 'SUBSCRIPTION_STATE_IN_GRACE_PERIOD' }, { line: moved });
    expect((await observe())?.subscription).toMatchObject({
      expiresAt: period.endsAt,
      graceExpiresAt: period.endsAt + 7 * day,
      billingIssueAt: period.endsAt,
    });
  });

  it('books nothing of a state that it does not know, or that waits', async () => {
    for (const state of ['SUBSCRIPTION_STATE_SOMETHING_NEW', 'SUBSCRIPTION_STATE_PENDING']) {
      scene.sold({ subscriptionState: state, linkedPurchaseToken: 'older' });
      expect(await observe()).toMatchObject({ transactions: [], replaces: [] });
    }
  });

  it('reads what stands in for a token: a plan change, a purchase in the store’s own app', async () => {
    scene.sold({ linkedPurchaseToken: 'older' });
    expect((await observe())?.replaces).toEqual(['older']);
    const expired = { obfuscatedExternalAccountId: 'P7' };
    scene.sold({
      outOfAppPurchaseContext: { expiredPurchaseToken: 'expired', expiredExternalAccountIdentifiers: expired },
    });
    expect(await observe()).toMatchObject({ replaces: ['expired'], account: 'P7' });
  });

  describe('of a change of plan', () => {
    const former = (startTime: number, more: object = {}) => ({
      ...playSubscription({ ...period, productId: 'pro.yearly' }),
      ...{ startTime: playInstant(startTime), subscriptionState: 'SUBSCRIPTION_STATE_EXPIRED', ...more },
    });
    const begun = async (orderId: string | null = null) =>
      (await observe(orderId))?.transactions.map((one) => one.originallyPurchasedAt);

    it('tells when the first of the plans was bought whose place it took', async () => {
      scene.sold({ linkedPurchaseToken: 'older' });
      scene.google.subscriptions.set('older', former(now - 99 * day));
      expect(await begun()).toEqual([now - 99 * day]);
      scene.google.subscriptions.set('older', former(now - 99 * day, { linkedPurchaseToken: 'oldest' }));
      scene.google.subscriptions.set('oldest', former(now - 400 * day, { linkedPurchaseToken: 'older' }));
      expect(await begun()).toEqual([now - 400 * day]);
    });

    it('tells whether it is another plan, and not the same one that was bought or topped up anew', async () => {
      const isChange = async () => (await observe())?.transactions.map((one) => one.isPlanChange);
      scene.sold({ linkedPurchaseToken: 'older' });
      scene.google.subscriptions.set('older', former(now - 99 * day));
      expect(await isChange()).toEqual([true]);
      const offerDetails = { basePlanId: 'prepaid' };
      scene.google.subscriptions.set('older', playSubscription(period, {}, { offerDetails }));
      expect(await isChange()).toEqual([true]);
      scene.google.subscriptions.set('older', playSubscription(period));
      expect(await isChange()).toEqual([undefined]);
      scene.google.subscriptions.set('older', former(now - 99 * day));
      scene.sold({ linkedPurchaseToken: 'older' }, { of: { orderId: 'GPA.1..0' } });
      expect(await isChange()).toEqual([undefined]);
    });

    it('tells of an add-on that joins a plan as of a purchase of its own, and of the plan as before', async () => {
      const [plan] = playSubscription({ ...period, orderId: 'GPA.1..0', startsAt: now - 9 * day }).lineItems!;
      const [coach] = playSubscription({ ...period, productId: 'coach', orderId: 'GPA.9' }).lineItems!;
      scene.sold({ linkedPurchaseToken: 'older', startTime: playInstant(now), lineItems: [plan!, coach!] });
      for (const [orderId, startsAt] of [['GPA.1..0', now - 9 * day] as const, ['GPA.9', now] as const])
        scene.google.orders.set(orderId, playOrder({ ...period, orderId, startsAt }, 'USD 4'));
      scene.google.subscriptions.set('older', playSubscription(period, { startTime: playInstant(now - 99 * day) }));
      expect(
        (await observe())?.transactions.map(({ productId, originallyPurchasedAt, isPlanChange }) => [
          ...[productId, originallyPurchasedAt],
          isPlanChange,
        ]),
      ).toEqual([
        ['pro.monthly', now - 99 * day, undefined],
        ['coach', undefined, undefined],
      ]);
    });

    it('does so as far as Google still tells', async () => {
      scene.sold({ linkedPurchaseToken: 'older' });
      expect(await begun()).toEqual([undefined]);
      scene.google.forgotten.add('older');
      expect(await begun()).toEqual([undefined]);
      scene.google.subscriptions.set('older', former(now - 99 * day, { linkedPurchaseToken: 'oldest' }));
      scene.google.forgotten.clear();
      scene.google.forgotten.add('oldest');
      expect(await begun()).toEqual([now - 99 * day]);
    });

    it.each<[string, string, number, number | undefined]>([
      ['the first order', 'GPA.1', now - 99 * day, undefined],
      ['a renewal', 'GPA.1..2', now - 9 * day, now - 99 * day],
    ])('that is yet to come tells of %s of the former plan what that did', async (_, orderId, startsAt, boughtAt) => {
      const later = { deferredItemReplacement: { productId: 'pro.basic' } };
      const changed = { startTime: playInstant(now - day), linkedPurchaseToken: 'older' };
      scene.sold(changed, { of: { orderId, startsAt }, line: later });
      scene.google.subscriptions.set('older', former(now - 99 * day));
      expect(await begun()).toEqual([boughtAt]);
      scene.google.orders.delete(orderId);
      expect(await begun()).toEqual([boughtAt]);
    });

    it('tells of one that followed another when the first of all was bought, though a third is yet to come', async () => {
      const later = { deferredItemReplacement: { productId: 'pro.basic' } };
      const changed = { startTime: playInstant(now - day), linkedPurchaseToken: 'older' };
      scene.sold(changed, { of: { startsAt: now - 90 * day }, line: later });
      scene.google.subscriptions.set('older', former(now - 90 * day, { linkedPurchaseToken: 'oldest' }));
      scene.google.subscriptions.set('oldest', former(now - 99 * day));
      expect(await begun()).toEqual([now - 99 * day]);
    });

    it('asks for the first order alone, and not where a new purchase followed one that had expired', async () => {
      scene.google.subscriptions.set('older', former(now - 99 * day));
      scene.sold(
        { startTime: playInstant(now - 31 * day), linkedPurchaseToken: 'older' },
        { of: { orderId: 'GPA.1..0' } },
      );
      expect(await begun()).toEqual([now - 31 * day]);
      expect(scene.google.calls.filter(({ path }) => path.endsWith('/older'))).toEqual([]);
      scene.sold({ outOfAppPurchaseContext: { expiredPurchaseToken: 'older' } });
      expect(await begun()).toEqual([undefined]);
    });
  });

  it('answers a plan that was given up by the one that goes on', async () => {
    scene.sold({ subscriptionState: 'SUBSCRIPTION_STATE_PENDING_PURCHASE_CANCELED', linkedPurchaseToken: 'older' });
    scene.google.subscriptions.set('older', playSubscription({ ...period, productId: 'pro.yearly' }));
    expect(await observe()).toMatchObject({
      originalId: 'older',
      subscription: { status: 'active', productId: 'pro.yearly' },
    });
  });

  it('marks test purchases as sandbox', async () => {
    scene.sold({ testPurchase: {} });
    expect((await observe())?.environment).toBe('sandbox');
    scene.google.products.set(
      'coins',
      playProduct('coins100', 'GPA.2', now, { testPurchaseContext: { fopType: 'TEST' } }),
    );
    expect((await scene.store().observe({ purchaseToken: 'coins', kind: 'one_time' }))?.environment).toBe('sandbox');
  });

  it('takes a prepaid plan for one that was never to renew, and that ends without a reason of the store', async () => {
    const line = { productId: period.productId, expiryTime: playInstant(period.endsAt), prepaidPlan: {} };
    const lineItems = [{ ...line, latestSuccessfulOrderId: 'GPA.1', offerPhase: { basePrice: {} } }];
    scene.sold({ lineItems });
    expect(await observe()).toMatchObject({
      subscription: { status: 'active', willRenew: false, cancellationReason: null },
      transactions: [{ price: { amount: '9.99' }, isEstimate: false }],
    });
    const ended = (context: object) =>
      scene.sold({ lineItems, subscriptionState: 'SUBSCRIPTION_STATE_EXPIRED', canceledStateContext: context });
    for (const [context, reason] of [
      [{}, null],
      [{ developerInitiatedCancellation: {} }, 'unknown'],
      [{ userInitiatedCancellation: {} }, 'voluntarily_cancelled'],
    ] as const) {
      ended(context);
      expect((await observe())?.subscription).toMatchObject({ status: 'expired', cancellationReason: reason });
    }
  });

  it('takes the rest of a trial after a change of plan for a trial', async () => {
    const ofTrial = { prorationPeriod: { originalOfferPhaseType: 'FREE_TRIAL' } };
    scene.sold({}, { of: { phase: 'prorationPeriod' }, line: { offerPhase: ofTrial } });
    expect((await observe())?.subscription?.status).toBe('trial');
    scene.sold({}, { of: { phase: 'prorationPeriod' } });
    expect(await observe()).toMatchObject({
      subscription: { status: 'active' },
      transactions: [{ phase: 'prorated' }],
    });
  });

  it('names the product of the next period', async () => {
    scene.sold({}, { line: { deferredItemReplacement: { productId: 'pro.yearly' } } });
    expect((await observe())?.subscription?.renewsAs).toBe('pro.yearly');
  });

  it('tells of a one-time purchase that was taken back', async () => {
    scene.google.products.set(
      'coins',
      playProduct('coins100', 'GPA.2', now, { purchaseStateContext: { purchaseState: 'CANCELLED' } }),
    );
    scene.google.orders.set('GPA.2', { orderId: 'GPA.2', state: 'REFUNDED', total: playPrice('USD 4') });
    expect(await scene.store().observe({ purchaseToken: 'coins', kind: 'one_time' })).toMatchObject({
      transactions: [{ transactionId: 'GPA.2', price: { amount: '4' } }],
      refunds: [{ transactionId: 'GPA.2', amount: null }],
      revokedTransactions: ['GPA.2'],
    });
  });

  it('tells of no one-time purchase that was given up while it waited for its payment, also where its order is not shown', async () => {
    const givenUp = { purchaseStateContext: { purchaseState: 'CANCELLED' }, purchaseCompletionTime: null };
    scene.google.products.set('coins', playProduct('coins100', 'GPA.2', now, givenUp));
    const coins = { purchaseToken: 'coins', kind: 'one_time' } as const;
    expect(await scene.store().observe(coins)).toMatchObject({ transactions: [], refunds: [] });
    scene.google.orders.set('GPA.2', { orderId: 'GPA.2', state: 'CANCELED', total: playPrice('USD 4') });
    expect(await scene.store().observe(coins)).toMatchObject({ transactions: [], refunds: [] });
    scene.google.orders.set('GPA.2', { orderId: 'GPA.2', state: 'REFUNDED', total: playPrice('USD 4') });
    expect((await scene.store().observe(coins))?.transactions).toMatchObject([{ transactionId: 'GPA.2' }]);
  });

  it('takes a one-time purchase back that was voided, though Google still calls it purchased, and not one that was refunded alone', async () => {
    const order = { orderId: 'GPA.2', state: 'REFUNDED', total: playPrice('USD 4') };
    scene.google.products.set('coins', playProduct('coins100', 'GPA.2', now));
    scene.google.orders.set('GPA.2', order);
    const coins = { purchaseToken: 'coins', kind: 'one_time' } as const;
    const voided = { ...coins, orderId: 'GPA.2', isVoided: true };
    expect(await scene.store().observe(coins)).toMatchObject({
      refunds: [{ transactionId: 'GPA.2', amount: null }],
      revokedTransactions: [],
    });
    expect((await scene.store().observe(voided))?.revokedTransactions).toEqual(['GPA.2']);
    scene.google.orders.set('GPA.2', { ...order, state: 'PARTIALLY_REFUNDED' });
    expect((await scene.store().observe(voided))?.revokedTransactions).toEqual([]);
  });

  it('tells all products of a one-time purchase, whichever is asked for', async () => {
    const offer = { purchaseOptionId: 'buy', offerId: 'bundle' };
    const products = ['skin', 'coins100'].map((productId) => ({ productId, productOfferDetails: offer }));
    scene.google.products.set('bundle', playProduct('skin', 'GPA.2', now, { productLineItem: products }));
    scene.google.orders.set('GPA.2', { orderId: 'GPA.2', state: 'PROCESSED', total: playPrice('USD 4') });
    const seen = await scene.store().observe({ purchaseToken: 'bundle', kind: 'one_time' });
    const asked = { purchaseToken: 'bundle', kind: 'one_time', productId: 'coins100' } as const;
    expect((await scene.store().validate(asked)).transactions).toEqual(seen?.transactions);
    const part = { offerId: 'bundle', phase: 'regular', startsAt: now, expiresAt: null };
    expect(seen?.transactions).toMatchObject([
      {
        ...{ transactionId: 'GPA.2', kind: 'one_time', productId: 'skin', price: { amount: '4' } },
        addOns: [{ productId: 'coins100', basePlanId: 'buy', ...part }],
      },
    ]);
  });

  it('names a purchase without an order by a digest of its token', async () => {
    scene.google.products.set(token, { ...playProduct('coins100', '', now), orderId: null });
    const seen = await scene.store().observe({ purchaseToken: token, kind: 'one_time' });
    expect(seen?.transactions[0]?.transactionId).toMatch(/^token:[\w-]{43}$/);
    expect(seen?.transactions[0]?.price).toBeNull();
  });

  it('says that Google keeps no more of one that expired long ago', async () => {
    scene.google.forgotten.add(token);
    expect(await observe()).toBeNull();
    expect(await scene.faultOf(scene.store().validate(claim))).toBe('not-found');
  });

  it('tells of one that expired long ago what an order of it gave back', async () => {
    const refundEvent = { eventTime: playInstant(now), refundReason: 'CHARGEBACK' };
    scene.sold({}, { order: { state: 'REFUNDED', orderHistory: { refundEvent } } });
    scene.sold({}, { of: { orderId: 'GPA.1..0' } });
    scene.google.forgotten.add(token);
    const seen = await observe('GPA.1');
    const refund = {
      refundId: 'GPA.1:full',
      transactionId: 'GPA.1',
      refundedAt: now,
      amount: null,
      reason: 'chargeback',
    };
    expect(seen).toMatchObject({ originalId: token, subscription: null, transactions: [], refunds: [refund] });
    expect(Observation.parse(seen)).toEqual(seen);
    expect(await observe('GPA.1..0')).toBeNull();
  });

  it('leaves the order of one that expired long ago for later where Google does not show it', async () => {
    scene.sold({});
    scene.google.forgotten.add(token);
    const asked = { purchaseToken: token, kind: 'subscription', orderId: 'GPA.hidden' } as const;
    expect(await scene.store().observe(asked)).toMatchObject({ transactions: [], refunds: [] });
    expect(await scene.store().unreadOrders(asked)).toEqual(['GPA.hidden']);
  });
});
