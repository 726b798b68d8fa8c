import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { accessLevel } from '../catalog.ts';
import { boughtInAppStore } from '../bought.ts';
import { dataOf, type World } from '../world.ts';

/** What the store was asked about purchases. For news that it missed the service asks in its own time. */
const questions = async ({ simulator }: World) =>
  (await simulator.calls('app-store')).filter(({ path }) => !path.endsWith('/notifications/history'));

/** D1 to D9 of the store guide: an app reports what was bought in the App Store. */
export function appStoreValidateCases(world: () => World): void {
  it('D1 takes a paid purchase, asking the store with a bearer of our own', async () => {
    const profileId = await world().newProfile();
    const receipt = await boughtInAppStore(world());
    const answered = dataOf(await world().validateAppStore({ ...receipt, profileId }));
    expect(answered).toMatchObject({ profileId, state: 'subscribed', paid: true, totalRevenueUsd: 9.99 });
    const profile = await world().profile(profileId);
    expect(profile).toMatchObject({ state: 'subscribed', paid: true, totalRevenueUsd: 9.99 });
    expect(Object.keys(profile.subscriptions)).toEqual(['pro.monthly']);
    expect(profile.subscriptions['pro.monthly']).toMatchObject({ isActive: true, willRenew: true, store: 'app_store' });
    expect(profile.accessLevels[accessLevel]).toMatchObject({ isActive: true, sourceProductId: 'pro.monthly' });
    // The simulated store answers 401 to any other key, app or bundle id.
    const asked = (await world().simulator.calls('app-store')).filter(({ path }) =>
      path.includes(receipt.transactionId),
    );
    expect(asked[0]).toMatchObject({ status: 200 });
  });

  it('D2 takes it by the customer’s own id, and by neither id not', async () => {
    const customerUserId = randomUUID();
    const profileId = await world().newProfile(world().a, customerUserId);
    const receipt = await boughtInAppStore(world());
    expect(await world().validateAppStore(receipt)).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
    const answered = dataOf(await world().validateAppStore({ ...receipt, customerUserId }));
    expect(answered).toMatchObject({ profileId, state: 'subscribed', totalRevenueUsd: 9.99 });
  });

  it.each(['productId', 'transactionId', 'originalTransactionId'])(
    'D3 refuses a report without %s, and asks nobody',
    async (field) => {
      const profileId = await world().newProfile();
      const receipt = await boughtInAppStore(world());
      const asked = (await questions(world())).length;
      const answer = await world().validateAppStore({ ...receipt, profileId, [field]: undefined });
      expect(answer.status).toBe(400);
      expect(answer.body).toEqual({ error: expect.stringContaining(field), code: 'VALIDATION_FAILED' });
      expect(await questions(world())).toHaveLength(asked);
    },
  );

  it.each(['../../../x?y=1', '1/2', 'abc', '1'.repeat(33)])(
    'D3 finds no transaction %p, and asks nobody',
    async (transactionId) => {
      const profileId = await world().newProfile();
      const receipt = await boughtInAppStore(world());
      const asked = (await questions(world())).length;
      expect(await world().validateAppStore({ ...receipt, profileId, transactionId })).toMatchObject({
        status: 422,
        body: { code: 'TRANSACTION_NOT_FOUND' },
      });
      expect(await questions(world())).toHaveLength(asked);
    },
  );

  it('D4 takes a trial, which earns nothing', async () => {
    const profileId = await world().newProfile();
    const receipt = await boughtInAppStore(world(), { offerType: 'FREE_TRIAL' });
    dataOf(await world().validateAppStore({ ...receipt, profileId }));
    expect(await world().profile(profileId)).toMatchObject({ state: 'active-trial', paid: false, totalRevenueUsd: 0 });
    expect(await world().labels(profileId)).toContain('trial_started');
    expect(await world().ledger(profileId)).toEqual([]);
  });

  it('D6 takes a paid introduction for paid', async () => {
    const profileId = await world().newProfile();
    const offer = { offerType: 'PAY_UP_FRONT', offerPrice: '1.99', offerPeriod: 'P1M' };
    const receipt = await boughtInAppStore(world(), offer);
    dataOf(await world().validateAppStore({ ...receipt, profileId }));
    const profile = await world().profile(profileId);
    expect(profile).toMatchObject({ state: 'subscribed', paid: true, totalRevenueUsd: 1.99 });
    expect(profile.subscriptions['pro.monthly']).toMatchObject({ activeIntroductoryOfferType: 'pay_up_front' });
  });

  it('D7 finds a tester’s purchase in the sandbox, gives access, and counts nothing', async () => {
    const profileId = await world().newProfile();
    const receipt = await boughtInAppStore(world(), { environment: 'sandbox' });
    dataOf(await world().validateAppStore({ ...receipt, profileId, environment: 'production' }));
    const profile = await world().profile(profileId);
    expect(profile).toMatchObject({ state: 'never-subscribed', paid: false, totalRevenueUsd: 0 });
    expect(profile.accessLevels[accessLevel]).toMatchObject({ isActive: true });
    expect(await world().ledger(profileId)).toMatchObject([{ environment: 'sandbox', amount: '9.99' }]);
  });

  it('D8 does not know what neither environment knows', async () => {
    const profileId = await world().newProfile();
    const before = await world().everything(profileId);
    const unknown = { productId: 'pro.monthly', transactionId: '999000', originalTransactionId: '999000' };
    const answer = await world().validateAppStore({ ...unknown, profileId });
    expect(answer).toMatchObject({ status: 422, body: { code: 'TRANSACTION_NOT_FOUND' } });
    expect(await world().everything(profileId)).toEqual(before);
  });

  it('D9 refuses an answer that is not about what was asked', async () => {
    const profileId = await world().newProfile();
    const before = await world().everything(profileId);
    const [receipt, other] = [await boughtInAppStore(world()), await boughtInAppStore(world())];
    const { originalTransactionId } = other;
    const wrongProduct = await world().validateAppStore({ ...receipt, profileId, productId: 'pro.yearly' });
    expect(wrongProduct).toMatchObject({ status: 422, body: { code: 'PRODUCT_MISMATCH' } });
    const wrongChain = await world().validateAppStore({ ...receipt, profileId, originalTransactionId });
    expect(wrongChain).toMatchObject({ status: 422, body: { code: 'ORIGINAL_TRANSACTION_MISMATCH' } });
    expect(await world().everything(profileId)).toEqual(before);
  });

  it('refuses what was refunded', async () => {
    const profileId = await world().newProfile();
    const receipt = await boughtInAppStore(world());
    await world().simulator.act('app-store', receipt.originalTransactionId, 'refund');
    const answer = await world().validateAppStore({ ...receipt, profileId });
    expect(answer).toMatchObject({ status: 422, body: { code: 'TRANSACTION_REVOKED' } });
    expect(await world().ledger(profileId)).toEqual([]);
  });
}
