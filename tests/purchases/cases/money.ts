import { expect, it } from '@jest/globals';
import { accessLevel, placementId } from '../catalog.ts';
import { boughtAtPlay, boughtInAppStore } from '../bought.ts';
import { eventually } from '../simulator.ts';
import { dataOf, type World } from '../world.ts';

/** D26 to D28, the golden amounts of the guide, one-time purchases, and what a purchase came of. */
export function moneyCases(world: () => World): void {
  it('D26 counts what the store says, never what the client says', async () => {
    const profileId = await world().newProfile();
    const receipt = await boughtInAppStore(world());
    dataOf(await world().validateAppStore({ ...receipt, profileId, price: 999, currency: 'EUR' }));
    expect(await world().profile(profileId)).toMatchObject({ totalRevenueUsd: 9.99 });
    expect(await world().ledger(profileId)).toMatchObject([
      { amount: '9.99', currency: 'USD', usd: '9.99', rate: '1' },
    ]);
  });

  it.each([
    ['9.99', 'EUR', '11.4885', 11.49],
    ['7.99', 'GBP', '10.561494', 10.56],
    ['1500', 'JPY', '10.147059', 10.15],
    ['59.90', 'BRL', '11.110484', 11.11],
  ])('D27 values %s %s at the rate of its day', async (price, currency, usd, totalRevenueUsd) => {
    const profileId = await world().newProfile();
    const receipt = await boughtInAppStore(world(), { price, currency });
    dataOf(await world().validateAppStore({ ...receipt, profileId }));
    expect(await world().profile(profileId)).toMatchObject({ totalRevenueUsd });
    const [row] = await world().ledger(profileId);
    expect([Number(row.amount), row.currency, Number(row.usd)]).toEqual([Number(price), currency, Number(usd)]);
  });

  it('a currency without a rate is kept, and neither 0 nor 1:1', async () => {
    const profileId = await world().newProfile();
    const receipt = await boughtInAppStore(world(), { price: '36.99', currency: 'AED' });
    dataOf(await world().validateAppStore({ ...receipt, profileId }));
    expect(await world().profile(profileId)).toMatchObject({ state: 'subscribed', paid: true, totalRevenueUsd: 0 });
    expect(await world().ledger(profileId)).toMatchObject([
      { amount: '36.99', currency: 'AED', usd: null, rate: null },
    ]);
  });

  it('D28 gives a restored purchase to whom it is restored, and leaves the money', async () => {
    const [first, second] = [await world().newProfile(), await world().newProfile()];
    const receipt = await boughtInAppStore(world(), { notify: true });
    dataOf(await world().validateAppStore({ ...receipt, profileId: first }));
    dataOf(await world().validateAppStore({ ...receipt, profileId: second, source: 'restore' }));
    await eventually(async () => {
      const former = await world().profile(first);
      expect(former).toMatchObject({ state: 'subscription-cancelled', paid: false, totalRevenueUsd: 9.99 });
      expect(former.accessLevels[accessLevel]?.isActive ?? false).toBe(false);
      expect(former.subscriptions['pro.monthly']).toMatchObject({ isActive: false, cancellationReason: 'unknown' });
    });
    const owner = {
      state: 'subscribed',
      paid: true,
      totalRevenueUsd: 0,
      accessLevels: { [accessLevel]: { isActive: true } },
    };
    expect(await world().profile(second)).toMatchObject(owner);
    await world().simulator.act('app-store', receipt.originalTransactionId, 'renew');
    await eventually(async () => expect(await world().profile(first)).toMatchObject({ totalRevenueUsd: 19.98 }));
    expect(await world().profile(second)).toMatchObject(owner);
  });

  it('observing claims what nobody owns, and takes nothing from anybody', async () => {
    const [first, second] = [await world().newProfile(), await world().newProfile()];
    const receipt = await boughtInAppStore(world());
    dataOf(await world().validateAppStore({ ...receipt, profileId: first, source: 'observing' }));
    const answer = dataOf(await world().validateAppStore({ ...receipt, profileId: second, source: 'observing' }));
    expect(answer).toMatchObject({ profileId: second, state: 'never-subscribed', paid: false });
    expect(await world().profile(first)).toMatchObject({ state: 'subscribed', totalRevenueUsd: 9.99 });
  });

  it('a purchase that the store ascribes to another profile is refused', async () => {
    const [buyer, thief] = [await world().newProfile(), await world().newProfile()];
    const receipt = await boughtInAppStore(world(), { appAccountToken: buyer });
    const stolen = await world().validateAppStore({ ...receipt, profileId: thief });
    expect(stolen).toMatchObject({ status: 422, body: { code: 'ACCOUNT_MISMATCH' } });
    expect(await world().profile(thief)).toMatchObject({ state: 'never-subscribed' });
    const foreign = await boughtInAppStore(world(), { appAccountToken: crypto.randomUUID() });
    expect((await world().validateAppStore({ ...foreign, profileId: thief })).status).toBe(200);
  });

  it('coins earn and give no access; what is bought for life gives it for life', async () => {
    const profileId = await world().newProfile();
    const coins = await boughtInAppStore(world(), { productId: 'coins100', type: 'consumable', price: '1.99' });
    dataOf(await world().validateAppStore({ ...coins, profileId, isSubscription: false }));
    const rich = await world().profile(profileId);
    expect(rich).toMatchObject({ state: 'never-subscribed', paid: false, totalRevenueUsd: 1.99 });
    expect(rich.nonSubscriptions['coins100']).toMatchObject({
      isConsumable: true,
      isRefund: false,
      store: 'app_store',
    });
    expect(rich.accessLevels[accessLevel]?.isActive ?? false).toBe(false);

    const life = await boughtAtPlay(world(), {
      productId: 'lifetime',
      basePlanId: undefined,
      price: '149.99',
      type: 'one-time',
    });
    dataOf(await world().validatePlayStore({ ...life, profileId }));
    const owner = await world().profile(profileId);
    expect(owner).toMatchObject({ state: 'never-subscribed', paid: true, totalRevenueUsd: 151.98 });
    expect(owner.accessLevels[accessLevel]).toMatchObject({ isActive: true, isLifetime: true, expiresAt: null });
  });

  it('a purchase earns for the paywall that it came of, with all that follows', async () => {
    const profileId = await world().newProfile();
    const paywall = dataOf(await world().a.app.v1('/paywalls', { profileId, placementId }));
    const { id: paywallId, isExperiment, aiPricingModelId } = paywall;
    const receipt = await boughtInAppStore(world(), { notify: true });
    const claims = { paywallId, isExperiment, aiPricingModelId, placementId };
    dataOf(await world().validateAppStore({ ...receipt, profileId, ...claims }));
    await world().simulator.act('app-store', receipt.originalTransactionId, 'renew');
    await eventually(async () => expect(await world().ledger(profileId)).toHaveLength(2));
    const rows = await world().ledger(profileId);
    const [{ decisionId }] = rows;
    expect(decisionId).toEqual(expect.any(String));
    expect(rows).toMatchObject([1, 2].map(() => ({ paywallId, placementId, decisionId })));
    const decision = dataOf(await world().admin.get(`/apps/${world().a.appId}/decisions/${decisionId}`));
    expect(decision.outcome).toMatchObject({ conversions: 1 });
    expect(Number(decision.outcome.revenueUsd)).toBe(19.98);
  });
}
