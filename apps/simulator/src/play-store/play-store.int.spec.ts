import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { inTime, simulatedWorld, type SimulatedWorld } from '../testing/simulated-world.ts';

let world: SimulatedWorld;
beforeAll(async () => {
  world = await simulatedWorld();
});
afterAll(() => world.end());

const day = 86_400_000;
const monthly = { productId: 'pro', basePlanId: 'monthly', price: 9.99, currency: 'EUR', regionCode: 'DE' };

const buy = async (fields: object = {}) => {
  const { purchaseToken = '', orderId = '' } = await world.post('/play-store/purchases', { ...monthly, ...fields });
  return { purchaseToken, orderId };
};
const observe = async (purchaseToken: string) =>
  (await world.play.observe({ purchaseToken, kind: 'subscription' }, inTime()))!.observation;
const act = (token: string, action: string, body: object = {}) =>
  world.post(`/play-store/purchases/${token}/${action}`, body);

describe('the simulated Play Store', () => {
  it('sells what the real library validates, with its order', async () => {
    const { purchaseToken, orderId } = await buy({ obfuscatedAccountId: 'account-1' });
    const claim = { purchaseToken, productId: 'pro', kind: null };
    const { observation: sold, awaitsAcknowledgement } = await world.play.validate(claim, inTime());
    expect(awaitsAcknowledgement).toBe(true);
    expect(sold).toMatchObject({ environment: 'production', originalId: purchaseToken, account: 'account-1' });
    expect(sold.subscription).toMatchObject({ status: 'active', basePlanId: 'monthly', willRenew: true });
    const price = { amount: '9.99', currency: 'EUR' };
    const storeShare = { amount: '1.5', currency: 'EUR' }; // 15 %, to the cent
    expect(sold.transactions).toMatchObject([{ transactionId: orderId, price, isEstimate: false, storeShare }]);
    expect(world.heardOf(purchaseToken)).toEqual(['SUBSCRIPTION_PURCHASED']);
  });

  it('turns a trial into months, each with an order of its own', async () => {
    const { purchaseToken, orderId } = await buy({ offerId: 'first-week', test: true });
    const renewalPrice = { amount: '9.99', currency: 'EUR' };
    const began = { environment: 'sandbox', subscription: { status: 'trial', renewalPrice } };
    expect(await observe(purchaseToken)).toMatchObject(began);
    await world.advance('P8D');
    const { subscription, transactions } = await observe(purchaseToken);
    expect(subscription).toMatchObject({ status: 'active', transactionId: `${orderId}..0`, offerId: null });
    expect(transactions[0]?.price?.amount).toBe('9.99');
    expect(world.heardOf(purchaseToken)).toEqual(['SUBSCRIPTION_PURCHASED', 'SUBSCRIPTION_RENEWED']);
  });

  it('waits for its money: grace, hold, and the end, which it forgets in time', async () => {
    const { purchaseToken } = await buy();
    const { expiresAt } = (await observe(purchaseToken)).subscription!;
    await act(purchaseToken, 'fail-billing');
    await world.advance('P32D');
    const grace = (await observe(purchaseToken)).subscription!;
    expect(grace).toMatchObject({ status: 'grace', expiresAt, graceExpiresAt: expiresAt! + 7 * day });
    await world.advance('P7D');
    expect((await observe(purchaseToken)).subscription?.status).toBe('billing_retry');
    await world.advance('P31D');
    expect((await observe(purchaseToken)).subscription).toMatchObject({
      status: 'expired',
      cancellationReason: 'billing_error',
    });
    const story = ['IN_GRACE_PERIOD', 'ON_HOLD', 'EXPIRED'].map((word) => `SUBSCRIPTION_${word}`);
    expect(world.heardOf(purchaseToken).slice(1)).toEqual(story);
    await world.advance('P61D');
    expect(await world.play.observe({ purchaseToken, kind: null }, inTime())).toBeNull();
  });

  it('pauses at the end of the period, and goes on by itself', async () => {
    const { purchaseToken } = await buy();
    await act(purchaseToken, 'pause');
    expect((await observe(purchaseToken)).subscription?.status).toBe('active');
    await world.advance('P32D');
    expect((await observe(purchaseToken)).subscription?.status).toBe('paused');
    await world.advance('P1M');
    expect((await observe(purchaseToken)).subscription?.status).toBe('active');
    const story = ['PAUSE_SCHEDULE_CHANGED', 'PAUSED', 'RECOVERED'].map((word) => `SUBSCRIPTION_${word}`);
    expect(world.heardOf(purchaseToken).slice(1)).toEqual(story);
  });

  it('cancels, restarts, and ends', async () => {
    const { purchaseToken } = await buy();
    await act(purchaseToken, 'cancel');
    const cancelled = (await observe(purchaseToken)).subscription!;
    expect(cancelled).toMatchObject({
      status: 'active',
      willRenew: false,
      cancellationReason: 'voluntarily_cancelled',
    });
    await act(purchaseToken, 'uncancel');
    await act(purchaseToken, 'expire');
    expect((await observe(purchaseToken)).subscription).toMatchObject({
      status: 'expired',
      cancellationReason: 'unknown',
    });
    const story = ['CANCELED', 'RESTARTED', 'EXPIRED'].map((word) => `SUBSCRIPTION_${word}`);
    expect(world.heardOf(purchaseToken).slice(1)).toEqual(story);
  });

  it('gives money back, in part and whole, and lists what it voided', async () => {
    const { purchaseToken, orderId } = await buy();
    const since = world.clock.now();
    await act(purchaseToken, 'refund', { percent: 50 });
    const half = await observe(purchaseToken);
    expect(half.refunds).toMatchObject([{ transactionId: orderId, amount: { amount: '5' } }]);
    expect(half.subscription?.status).toBe('active');
    expect(half.transactions[0]?.storeShare).toBeUndefined(); // Google's revenue is of what is left by now
    expect(world.heardOf(purchaseToken)).toEqual(['SUBSCRIPTION_PURCHASED']); // it voids what it takes back alone
    await act(purchaseToken, 'refund');
    const whole = await observe(purchaseToken);
    expect(whole.subscription).toMatchObject({ status: 'expired', cancellationReason: 'refund' });
    expect(whole.refunds).toMatchObject([{ amount: { amount: '5' } }, { refundId: `${orderId}:full`, amount: null }]);
    expect(world.heardOf(purchaseToken).slice(1)).toEqual(['SUBSCRIPTION_REVOKED', 'VOIDED_PURCHASE']);
    const { voided } = await world.play.voidedPurchases({ since, after: null }, inTime());
    expect(voided).toMatchObject([{ purchaseToken, orderId }]);
  });

  it('puts a dearer plan in the place of the former one', async () => {
    const { purchaseToken: former } = await buy();
    await act(former, 'upgrade', { basePlanId: 'yearly', price: 59.99, period: 'P1Y' });
    const described = await world.call('GET', `/play-store/purchases/${former}`);
    const now = String(described.body['id']);
    const observation = await observe(now);
    expect(observation).toMatchObject({ replaces: [former], subscription: { status: 'active', basePlanId: 'yearly' } });
    expect(observation.transactions[0]?.price?.amount).toBe('59.99');
    expect((await observe(former)).subscription).toMatchObject({ status: 'expired', cancellationReason: 'upgraded' });
    expect(world.heardOf(now)).toEqual(['SUBSCRIPTION_PURCHASED']);
  });

  it('puts a cheaper plan in the place of the former one at the renewal, by a new token that goes on with its order', async () => {
    const { purchaseToken: former, orderId } = await buy();
    await act(former, 'downgrade', { productId: 'basic', basePlanId: 'monthly', price: 4.99 });
    const now = String((await world.call('GET', `/play-store/purchases/${former}`)).body['id']);
    expect(now).not.toBe(former);
    const until = await observe(now);
    expect(until).toMatchObject({
      ...{
        replaces: [former],
        subscription: { productId: 'pro', status: 'active', renewsAs: 'basic', willRenew: true },
      },
      transactions: [{ transactionId: orderId, productId: 'pro', price: { amount: '9.99' } }],
    });
    expect(until.addOns).toBeUndefined();
    expect((await observe(former)).subscription).toMatchObject({ status: 'expired', cancellationReason: 'upgraded' });
    expect(world.heardOf(now)).toEqual(['SUBSCRIPTION_PURCHASED']);
    await act(now, 'refund', { percent: 50 });
    expect((await observe(now)).refunds).toMatchObject([{ transactionId: orderId, amount: { amount: '5' } }]);
    await world.advance('P32D');
    const behind = await observe(now);
    expect(behind).toMatchObject({
      subscription: { productId: 'basic', renewsAs: null },
      transactions: [{ productId: 'basic', price: { amount: '4.99' } }],
    });
    expect(behind.transactions[0]?.transactionId).not.toContain(orderId);
    await world.advance('P32D');
    const { transactionId } = (await observe(now)).transactions[0]!;
    expect(transactionId).toBe(`${behind.transactions[0]!.transactionId}..0`);
  });

  it('sells add-ons with a plan, by one token and one order, and takes them off at a renewal', async () => {
    const { purchaseToken, orderId } = await buy({ addOns: [{ productId: 'coach', basePlanId: 'extra', price: 3 }] });
    const both = await observe(purchaseToken);
    expect(both).toMatchObject({
      subscription: { productId: 'pro', basePlanId: 'monthly', renewalPrice: { amount: '9.99' } },
      addOns: [{ productId: 'coach', basePlanId: 'extra', status: 'active', renewalPrice: { amount: '3' } }],
      transactions: [{ transactionId: orderId, price: { amount: '12.99' }, addOns: [{ productId: 'coach' }] }],
    });
    await act(purchaseToken, 'downgrade', { addOns: [] });
    expect((await observe(purchaseToken)).addOns).toMatchObject([{ status: 'active', willRenew: false }]);
    await world.advance('P32D');
    const alone = await observe(purchaseToken);
    expect(alone.addOns).toBeUndefined();
    expect(alone.transactions).toMatchObject([{ transactionId: `${orderId}..0`, price: { amount: '9.99' } }]);
    expect(world.heardOf(purchaseToken)).toContain('SUBSCRIPTION_ITEMS_CHANGED');
  });

  it('sells once what is no subscription, and takes it back', async () => {
    const { purchaseToken, orderId } = await world.post('/play-store/purchases', {
      ...{ productId: 'coins', price: '300', currency: 'JPY', type: 'one-time' },
    });
    const claim = { purchaseToken: purchaseToken!, productId: 'coins', kind: null };
    const { observation: sold } = await world.play.validate(claim, inTime());
    expect(sold.transactions).toMatchObject([
      { transactionId: orderId, price: { amount: '300', currency: 'JPY' }, storeShare: { amount: '45' } },
    ]);
    expect(await world.play.acknowledge('one_time', 'coins', purchaseToken!, inTime())).toBe(true);
    expect(await world.play.validate(claim, inTime())).toMatchObject({ awaitsAcknowledgement: false });
    await act(purchaseToken!, 'refund');
    await expect(world.play.validate(claim, inTime())).rejects.toMatchObject({ kind: 'revoked' });
    expect(world.heardOf(purchaseToken)).toEqual(['ONE_TIME_PRODUCT_PURCHASED', 'VOIDED_PURCHASE']);
  });

  it('sells several pieces by one order, which has the price of all', async () => {
    const { purchaseToken = '', orderId } = await world.post('/play-store/purchases', {
      ...{ productId: 'coins', price: '1.99', currency: 'USD', type: 'one-time', quantity: 3 },
    });
    const { observation } = await world.play.validate({ purchaseToken, productId: 'coins', kind: null }, inTime());
    expect(observation.transactions).toMatchObject([{ transactionId: orderId, price: { amount: '5.97' } }]);
  });

  it('voids what was bought once where it withdraws it: only what waits for its payment is cancelled', async () => {
    const { purchaseToken } = await world.post('/play-store/purchases', {
      ...{ productId: 'coins', price: '300', currency: 'JPY', type: 'one-time' },
    });
    await act(purchaseToken!, 'revoke');
    expect(world.heardOf(purchaseToken)).toEqual(['ONE_TIME_PRODUCT_PURCHASED', 'VOIDED_PURCHASE']);
  });

  it('takes the right service account alone', async () => {
    expect(await world.play.checkCredentials(inTime())).toMatchObject({ ok: true });
    const assertion = await fetch(`${world.server.url}/token`, { method: 'POST', body: 'assertion=e30.e30.e30' });
    const unsigned = await fetch(`${world.server.url}/androidpublisher/v3/applications/com.example.android/orders/1`);
    expect([assertion.status, unsigned.status]).toEqual([400, 401]);
  });
});
