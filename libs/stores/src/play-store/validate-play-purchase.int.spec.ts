import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Observation } from '@paywright/contracts';
import { playPrice, playProduct, playSubscription } from '../testing/play-purchases.ts';
import { claim, now, period, PlayScene, token } from '../testing/play-scene.ts';
import type { PlayClaim } from './play-store.ts';

let scene: PlayScene;
beforeEach(async () => {
  scene = await PlayScene.start();
});
afterEach(() => scene.stop());

describe('playStore.validate', () => {
  it('tells of a paid subscription, with one token exchange for two calls at once (D17)', async () => {
    scene.sold({ externalAccountIdentifiers: { obfuscatedExternalAccountId: 'P1' } });
    const play = scene.store();
    const [first, second] = await Promise.all([play.validate(claim), play.validate(claim)]);

    expect(first).toEqual({
      store: 'play_store',
      environment: 'production',
      originalId: token,
      observedAt: now,
      replaces: [],
      account: 'P1',
      subscription: {
        status: 'active',
        productId: 'pro.monthly',
        basePlanId: 'monthly',
        offerId: null,
        transactionId: 'GPA.1',
        startsAt: period.startsAt,
        expiresAt: period.endsAt,
        graceExpiresAt: null,
        isOpenEnded: false,
        willRenew: true,
        renewsAs: null,
        renewalPrice: { amount: '9.99', currency: 'USD' },
        unsubscribedAt: null,
        billingIssueAt: null,
        cancellationReason: null,
      },
      transactions: [
        {
          transactionId: 'GPA.1',
          kind: 'subscription',
          productId: 'pro.monthly',
          basePlanId: 'monthly',
          offerId: null,
          phase: 'regular',
          purchasedAt: period.startsAt,
          startsAt: period.startsAt,
          expiresAt: period.endsAt,
          price: { amount: '9.99', currency: 'USD' },
          isEstimate: false,
          isFamilyShared: false,
          isUpgraded: false,
        },
      ],
      refunds: [],
      reversedRefunds: [],
      revokedTransactions: [],
    });
    expect(Observation.parse(first)).toEqual(first);
    expect(second).toEqual(first);
    expect(scene.google.exchanges).toBe(1);
  });

  it('tells of a trial, which costs nothing (D20)', async () => {
    scene.sold({}, { of: { phase: 'freeTrial' }, total: 'USD 0' });
    const { subscription, transactions } = await scene.store().validate(claim);
    expect(subscription?.status).toBe('trial');
    expect(transactions).toMatchObject([
      { phase: 'trial', price: { amount: '0', currency: 'USD' }, isEstimate: false },
    ]);
  });

  it('tells a paid introduction from a trial', async () => {
    scene.sold({}, { of: { phase: 'introductoryPrice' }, total: 'USD 1.99' });
    const { subscription, transactions } = await scene.store().validate(claim);
    expect(subscription?.status).toBe('intro');
    expect(transactions).toMatchObject([{ phase: 'intro', price: { amount: '1.99' } }]);
  });

  it('lets the store say of which kind the purchase is', async () => {
    scene.sold();
    scene.google.products.set('coins', playProduct('coins100', 'GPA.2', now));
    scene.google.orders.set('GPA.2', { orderId: 'GPA.2', state: 'PROCESSED', total: playPrice('EUR 0.99') });
    const asked = await scene.store().validate({ ...claim, kind: null });
    const coins = await scene.store().validate({ purchaseToken: 'coins', productId: 'coins100', kind: null });
    expect(asked.subscription?.status).toBe('active');
    expect(coins).toMatchObject({
      subscription: null,
      transactions: [
        { kind: 'one_time', productId: 'coins100', purchasedAt: now, expiresAt: null, price: { amount: '0.99' } },
      ],
    });
  });

  it('takes the kind that a client names for a hint: it asks for the other one before it says no', async () => {
    scene.sold();
    scene.google.products.set('coins', playProduct('coins100', 'GPA.2', now));
    scene.google.orders.set('GPA.2', { orderId: 'GPA.2', state: 'PROCESSED', total: playPrice('EUR 0.99') });
    const plan = await scene.store().validate({ ...claim, kind: 'one_time' });
    const coins = { purchaseToken: 'coins', productId: 'coins100', kind: 'subscription' } as const;
    expect(plan.subscription?.status).toBe('active');
    expect((await scene.store().validate(coins)).transactions).toMatchObject([{ kind: 'one_time' }]);
  });

  it('asks for the named kind alone where it is right', async () => {
    scene.google.products.set('coins', playProduct('coins100', 'GPA.2', now));
    await scene.store().validate({ purchaseToken: 'coins', productId: 'coins100', kind: 'one_time' });
    expect(scene.google.calls.filter(({ path }) => path.includes('subscriptionsv2'))).toEqual([]);
  });

  it('does not take the silence of the other kind for a no', async () => {
    scene.sold();
    scene.google.faults.push({ kind: 'broken', on: /subscriptionsv2/ });
    expect(await scene.faultOf(scene.store().validate({ ...claim, kind: 'one_time' }))).toBe('unavailable');
  });

  it('refuses another product, what is not paid, and what was taken back', async () => {
    scene.sold();
    expect(await scene.faultOf(scene.store().validate({ ...claim, productId: 'pro.yearly' }))).toBe('product-mismatch');
    scene.sold({ subscriptionState: 'SUBSCRIPTION_STATE_PENDING' });
    expect(await scene.faultOf(scene.store().validate(claim))).toBe('pending');
    scene.sold({ subscriptionState: 'SUBSCRIPTION_STATE_PENDING_PURCHASE_CANCELED' });
    expect(await scene.faultOf(scene.store().validate(claim))).toBe('revoked');
    const coins: PlayClaim = { purchaseToken: 'coins', productId: 'coins100', kind: 'one_time' };
    scene.google.products.set(
      'coins',
      playProduct('coins100', 'GPA.2', now, { purchaseStateContext: { purchaseState: 'PENDING' } }),
    );
    expect(await scene.faultOf(scene.store().validate(coins))).toBe('pending');
    scene.google.products.set(
      'coins',
      playProduct('coins100', 'GPA.2', now, { purchaseStateContext: { purchaseState: 'CANCELLED' } }),
    );
    expect(await scene.faultOf(scene.store().validate(coins))).toBe('revoked');
  });

  it('says which field does not fit', async () => {
    scene.sold();
    await expect(scene.store().validate({ ...claim, productId: 'pro.yearly' })).rejects.toThrow('productId');
    await expect(scene.store().validate({ ...claim, purchaseToken: 'other' })).rejects.toThrow('purchaseToken');
  });

  it('asks three times for a token that Google does not know yet', async () => {
    scene.sold();
    scene.google.faults.push(
      { kind: 'not-found', on: /subscriptionsv2/ },
      { kind: 'not-found', on: /subscriptionsv2/ },
    );
    expect((await scene.store().validate(claim)).subscription?.status).toBe('active');
    scene.google.subscriptions.clear();
    scene.google.calls.length = 0;
    expect(await scene.faultOf(scene.store().validate(claim))).toBe('not-found');
    expect(scene.google.calls.filter(({ path }) => path.includes('subscriptionsv2'))).toHaveLength(3);
  });

  it('keeps to the path whatever the token is', async () => {
    const odd = '../../../orders/GPA.1?alt=x#y';
    scene.google.subscriptions.set(odd, playSubscription(period));
    expect((await scene.store().validate({ ...claim, purchaseToken: odd })).originalId).toBe(odd);
  });
});
