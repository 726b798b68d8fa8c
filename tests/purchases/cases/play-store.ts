import { expect, it } from '@jest/globals';
import { accessLevel, coachingLevel } from '../catalog.ts';
import { boughtAtPlay, type PlayReceipt, type PurchaseOptions } from '../bought.ts';
import { eventually, persistently } from '../simulator.ts';
import { dataOf, type World } from '../world.ts';

const phase = { billingPeriod: 'P1M', recurrenceMode: 1, billingCycleCount: 0, currencyCode: 'USD' };
const basePhases = [{ ...phase, priceAmountMicros: 9_990_000 }];
const trialPhases = [{ ...phase, priceAmountMicros: 0, billingPeriod: 'P1W', recurrenceMode: 2 }, ...basePhases];
const offer = (pricingPhases: readonly object[], offerId?: string) => ({
  subscriptionOfferDetails: {
    basePlanId: 'standard',
    offerToken: 'an-offer-token',
    pricingPhases,
    ...(offerId && { offerId }),
  },
});

/** D17 to D23: Google Play. */
export function playStoreCases(world: () => World): void {
  const shows = (profileId: string, expected: object) =>
    eventually(async () => expect(await world().profile(profileId)).toMatchObject(expected));
  const act = (token: string, action: string, body?: object) =>
    world().simulator.act('play-store', token, action, body);
  async function subscriber(options: PurchaseOptions = {}): Promise<PlayReceipt & { profileId: string }> {
    const profileId = await world().newProfile();
    const receipt = await boughtAtPlay(world(), { notify: true, ...options });
    dataOf(await world().validatePlayStore({ ...receipt, profileId, ...offer(basePhases) }));
    return { ...receipt, profileId };
  }

  it('D17 takes paid purchases, and gets one access token an app for all of them', async () => {
    const apps = 3; // the demo app, and A and B
    const tokenCalls = async (): Promise<number> =>
      (await world().simulator.calls('play-store')).filter(({ path }) => path === '/token').length;
    for (let again = 0; again < 2; again++) {
      const profileId = await world().newProfile();
      const receipt = await boughtAtPlay(world());
      const answered = dataOf(await world().validatePlayStore({ ...receipt, profileId, ...offer(basePhases) }));
      expect(answered).toMatchObject({ state: 'subscribed', paid: true, totalRevenueUsd: 9.99 });
      expect(await world().profile(profileId)).toMatchObject({ state: 'subscribed', totalRevenueUsd: 9.99 });
      expect(answered.subscriptions['pro.monthly']).toMatchObject({
        store: 'play_store',
        sourceBasePlanId: 'standard',
      });
      expect(await tokenCalls()).toBeLessThanOrEqual(apps);
    }
  });

  it('D18 reads either name of the token, and refuses two that differ', async () => {
    const profileId = await world().newProfile();
    const { productId, purchaseToken } = await boughtAtPlay(world());
    const report = (fields: object) => world().validatePlayStore({ productId, profileId, ...fields });
    expect(await report({})).toMatchObject({ status: 400 });
    expect(await report({ purchaseToken, token: `${purchaseToken}x` })).toMatchObject({ status: 400 });
    for (const fields of [{ purchaseToken }, { token: purchaseToken }, { purchaseToken, token: purchaseToken }])
      expect(await report(fields)).toMatchObject({ status: 200, body: { data: { totalRevenueUsd: 9.99 } } });
  });

  it('D19 refuses both kinds of offer at once, and does without either', async () => {
    const profileId = await world().newProfile();
    const receipt = await boughtAtPlay(world());
    const oneTimePurchaseOfferDetails = { priceAmountMicros: 9_990_000, currencyCode: 'USD' };
    const both = { ...offer(basePhases), oneTimePurchaseOfferDetails };
    expect(await world().validatePlayStore({ ...receipt, profileId, ...both })).toMatchObject({ status: 400 });
    expect(await world().validatePlayStore({ ...receipt, profileId })).toMatchObject({ status: 200 });
  });

  it('D20 takes a phase without a price for a trial, if the store says so too', async () => {
    const [tries, pays] = [await world().newProfile(), await world().newProfile()];
    const trial = await boughtAtPlay(world(), { offerId: 'first-week', offerPeriod: 'P7D' });
    dataOf(await world().validatePlayStore({ ...trial, profileId: tries, ...offer(trialPhases, 'first-week') }));
    expect(await world().profile(tries)).toMatchObject({ state: 'active-trial', paid: false, totalRevenueUsd: 0 });
    const paid = await boughtAtPlay(world());
    dataOf(await world().validatePlayStore({ ...paid, profileId: pays, ...offer(trialPhases, 'first-week') }));
    expect(await world().profile(pays)).toMatchObject({ state: 'subscribed', paid: true, totalRevenueUsd: 9.99 });
  });

  it('D21 takes Google’s test notification, and nothing without a token', async () => {
    const { profileId, purchaseToken } = await subscriber();
    const [letter] = await world().post.sentDuring(() => act(purchaseToken, 'renew'));
    await shows(profileId, { totalRevenueUsd: 19.98 });
    const before = await world().everything(profileId);
    const test = {
      version: '1.0',
      packageName: 'com.example',
      eventTimeMillis: 1,
      testNotification: { version: '1.0' },
    };
    const message = {
      data: Buffer.from(JSON.stringify(test)).toString('base64'),
      messageId: '1',
      publishTime: '2026-01-01T00:00:00Z',
    };
    const body = Buffer.from(JSON.stringify({ message, subscription: 'projects/p/subscriptions/s' }));
    expect((await world().post.deliver({ ...letter!, body })).status).toBeLessThan(300);
    const bare = { ...letter!, headers: { 'content-type': 'application/json' } };
    expect(await world().post.deliver(bare)).toMatchObject({
      status: 401,
      body: { code: 'NOTIFICATION_UNAUTHORIZED' },
    });
    expect(await world().everything(profileId)).toEqual(before);
  });

  it('D22 asks the store whenever it hints at something', async () => {
    const { profileId, purchaseToken } = await subscriber();
    await act(purchaseToken, 'cancel');
    await shows(profileId, {
      state: 'auto-renew-off',
      paid: true,
      accessLevels: { [accessLevel]: { isActive: true } },
    });
    await act(purchaseToken, 'uncancel');
    await shows(profileId, { state: 'subscribed' });
  });

  it.each([
    ['on hold', 'billing-issue', 'fail-billing', { now: true }, 'P8D'],
    ['paused', 'subscription-cancelled', 'pause', { now: true }, 'PT1H'],
    ['expired', 'subscription-cancelled', 'expire', {}, 'PT1H'],
  ])('D23 gives no access while it is %s', async (_, state, action, body, wait) => {
    const { profileId, purchaseToken } = await subscriber();
    await act(purchaseToken, action, body);
    await world().simulator.advance(wait);
    await shows(profileId, { state, paid: false, accessLevels: { [accessLevel]: { isActive: false } } });
  });

  it('a licence tester’s purchase gives access and counts nothing', async () => {
    const { profileId } = await subscriber({ test: true });
    const profile = await world().profile(profileId);
    expect(profile).toMatchObject({ state: 'never-subscribed', paid: false, totalRevenueUsd: 0 });
    expect(profile.accessLevels[accessLevel]).toMatchObject({ isActive: true });
  });

  it('an upgrade goes on in the same chain: one access, each payment once', async () => {
    const { profileId, purchaseToken } = await subscriber();
    await act(purchaseToken, 'upgrade', { productId: 'pro.yearly', price: '59.99', period: 'P1Y' });
    await eventually(async () => {
      const profile = await world().profile(profileId);
      expect(profile).toMatchObject({ state: 'subscribed', paid: true, totalRevenueUsd: 69.98 });
      expect(profile.subscriptions['pro.yearly']).toMatchObject({ isActive: true });
      expect(profile.subscriptions['pro.monthly']?.isActive ?? false).toBe(false);
    });
    const thief = await world().newProfile();
    const old = await world().validatePlayStore({ productId: 'pro.monthly', purchaseToken, profileId: thief });
    expect(old.status).toBe(422);
    expect(await world().profile(thief)).toMatchObject({ state: 'never-subscribed' });
  });

  it('each product of a subscription with add-ons gives its own access, whichever the app reports', async () => {
    const addOns = [{ productId: 'coach', basePlanId: 'standard', price: '3' }];
    const { profileId, purchaseToken } = await subscriber({ addOns });
    const both = {
      ...{ state: 'subscribed', paid: true, totalRevenueUsd: 12.99 },
      accessLevels: { [accessLevel]: { isActive: true }, [coachingLevel]: { isActive: true } },
      subscriptions: { 'pro.monthly': { willRenew: true }, coach: { willRenew: true } },
    };
    await shows(profileId, both);
    dataOf(await world().validatePlayStore({ productId: 'coach', purchaseToken, profileId }));
    await shows(profileId, both);
    await act(purchaseToken, 'downgrade', { addOns: [] });
    await shows(profileId, { ...both, subscriptions: { coach: { isActive: true, willRenew: false } } });
    await world().simulator.advance('P32D');
    await eventually(async () => {
      const profile = await world().profile(profileId);
      expect(profile).toMatchObject({ totalRevenueUsd: 22.98, accessLevels: { [accessLevel]: { isActive: true } } });
      expect(profile.accessLevels[coachingLevel]?.isActive ?? false).toBe(false);
    });
  });

  it('a token that Google has forgotten is unknown, and no fault of ours', async () => {
    const profileId = await world().newProfile();
    const receipt = await boughtAtPlay(world());
    // Google is asked by the service itself too: a single answer might go there.
    await world().simulator.fault('play-store', '410', persistently);
    const gone = await world().validatePlayStore({ ...receipt, profileId });
    await world().simulator.mend();
    expect(gone).toMatchObject({ status: 422, body: { code: 'TRANSACTION_NOT_FOUND' } });
    const never = await world().validatePlayStore({
      productId: 'pro.monthly',
      purchaseToken: 'no.such-token',
      profileId,
    });
    expect(never).toMatchObject({ status: 422, body: { code: 'TRANSACTION_NOT_FOUND' } });
  });
}
