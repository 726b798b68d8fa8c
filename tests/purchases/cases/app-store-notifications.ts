import { expect, it } from '@jest/globals';
import { accessLevel } from '../catalog.ts';
import { boughtInAppStore, type AppStoreReceipt, type PurchaseOptions } from '../bought.ts';
import { eventually } from '../simulator.ts';
import { dataOf, type World } from '../world.ts';

/** D5 and D10 to D16: the App Store tells of what becomes of a purchase. */
export function appStoreNotificationCases(world: () => World): void {
  /** A profile with a purchase of which the store will tell. */
  async function subscriber(options: PurchaseOptions = {}): Promise<AppStoreReceipt & { profileId: string }> {
    const profileId = await world().newProfile();
    const receipt = await boughtInAppStore(world(), { notify: true, ...options });
    dataOf(await world().validateAppStore({ ...receipt, profileId }));
    return { ...receipt, profileId };
  }
  const act = (id: string, action: string, body?: object) => world().simulator.act('app-store', id, action, body);
  const shows = (profileId: string, expected: object) =>
    eventually(async () => expect(await world().profile(profileId)).toMatchObject(expected));

  it('D5 converts a trial once', async () => {
    const { profileId } = await subscriber({ offerType: 'FREE_TRIAL' });
    await world().simulator.advance('P7D');
    await shows(profileId, { state: 'subscribed', paid: true, totalRevenueUsd: 9.99 });
    const labels = await world().labels(profileId);
    expect(labels.filter((label) => label === 'trial_converted')).toHaveLength(1);
  });

  it('D11 counts a repeated notification once', async () => {
    const { profileId, originalTransactionId } = await subscriber();
    const [letter] = await world().post.sentDuring(() => act(originalTransactionId, 'renew'));
    await shows(profileId, { totalRevenueUsd: 19.98 });
    const before = await world().everything(profileId);
    for (let again = 0; again < 3; again++) expect((await world().post.deliver(letter!)).status).toBeLessThan(300);
    await act(originalTransactionId, 'cancel');
    await shows(profileId, { state: 'auto-renew-off', totalRevenueUsd: 19.98 });
    expect(await world().ledger(profileId)).toEqual(before.ledger);
  });

  it('D12 counts a purchase once that the app and the store tell of', async () => {
    const profileId = await world().newProfile();
    let receipt: AppStoreReceipt | undefined;
    const letters = await world().post.holding(async () => {
      receipt = await boughtInAppStore(world(), { notify: true });
    });
    dataOf(await world().validateAppStore({ ...receipt, profileId }));
    expect(letters).toHaveLength(1);
    expect((await world().post.deliver(letters[0]!)).status).toBeLessThan(300);
    await eventually(async () =>
      expect(await world().timeline(profileId)).toContainEqual(
        expect.objectContaining({ type: expect.stringMatching(/NotificationReceived/) }),
      ),
    );
    expect(await world().profile(profileId)).toMatchObject({ totalRevenueUsd: 9.99 });
    expect(await world().ledger(profileId)).toHaveLength(1);
  });

  it('D13 lets a late notification revive nothing, and books what it tells of', async () => {
    const { profileId, originalTransactionId } = await subscriber();
    const [renewed] = await world().post.holding(() => act(originalTransactionId, 'renew'));
    await act(originalTransactionId, 'expire');
    await shows(profileId, { state: 'subscription-cancelled', paid: false });
    expect((await world().post.deliver(renewed!)).status).toBeLessThan(300);
    await shows(profileId, { totalRevenueUsd: 19.98 });
    const profile = await world().profile(profileId);
    expect(profile).toMatchObject({ state: 'subscription-cancelled', paid: false });
    expect(profile.accessLevels[accessLevel]?.isActive).toBe(false);
  });

  it('D14 shows that renewal is off, with access, and on again', async () => {
    const { profileId, originalTransactionId } = await subscriber();
    await act(originalTransactionId, 'cancel');
    await shows(profileId, {
      state: 'auto-renew-off',
      paid: true,
      accessLevels: {
        [accessLevel]: { isActive: true, willRenew: false, cancellationReason: 'voluntarily_cancelled' },
      },
    });
    await act(originalTransactionId, 'uncancel');
    await shows(profileId, {
      state: 'subscribed',
      accessLevels: { [accessLevel]: { isActive: true, willRenew: true, cancellationReason: null } },
    });
  });

  it('D15 gives access in the grace period, and none afterwards', async () => {
    const { profileId, originalTransactionId } = await subscriber();
    await act(originalTransactionId, 'fail-billing', { now: true });
    await shows(profileId, {
      state: 'grace-period',
      paid: true,
      accessLevels: { [accessLevel]: { isActive: true, isInGracePeriod: true } },
    });
    await world().simulator.advance('P17D');
    await shows(profileId, {
      state: 'billing-issue',
      paid: false,
      accessLevels: { [accessLevel]: { isActive: false } },
    });
  });

  it('D16 takes access and revenue back with a refund, and gives both again when it is reversed', async () => {
    const { profileId, originalTransactionId } = await subscriber();
    await act(originalTransactionId, 'refund');
    await shows(profileId, {
      ...{ state: 'subscription-cancelled', paid: false, totalRevenueUsd: 0 },
      subscriptions: { 'pro.monthly': { isActive: false, isRefund: true, cancellationReason: 'refund' } },
    });
    const [refund, charge] = await world().ledger(profileId);
    expect(refund).toMatchObject({ type: 'refund', amount: '-9.99', usd: '-9.99' });
    expect(charge).toMatchObject({ type: 'charge', amount: '9.99', usd: '9.99' });
    await act(originalTransactionId, 'reverse-refund');
    await shows(profileId, { paid: true, totalRevenueUsd: 9.99, accessLevels: { [accessLevel]: { isActive: true } } });
    expect((await world().ledger(profileId)).map(({ type }) => type)).toEqual(['refund_reversed', 'refund', 'charge']);
  });

  it('a refund of an earlier period takes its money and leaves access', async () => {
    const { profileId, originalTransactionId, transactionId } = await subscriber();
    await world().simulator.advance('P32D');
    await shows(profileId, { totalRevenueUsd: 19.98 });
    await act(originalTransactionId, 'refund', { transactionId });
    await shows(profileId, { state: 'subscribed', paid: true, totalRevenueUsd: 9.99 });
  });

  it('a change of the renewal is no cancellation', async () => {
    const { profileId, originalTransactionId } = await subscriber();
    await act(originalTransactionId, 'downgrade', { productId: 'pro.yearly', price: '59.99', period: 'P1Y' });
    await eventually(async () => expect(await world().labels(profileId)).toContain('product_changed'));
    expect(await world().profile(profileId)).toMatchObject({ state: 'subscribed', paid: true, totalRevenueUsd: 9.99 });
  });

  it('is attached to the profile that the store names, without any report', async () => {
    const profileId = await world().newProfile();
    await boughtInAppStore(world(), { notify: true, appAccountToken: profileId });
    await shows(profileId, { state: 'subscribed', totalRevenueUsd: 9.99 });
  });

  it('is attached to nobody until somebody reports it, and then with all its money', async () => {
    const profileId = await world().newProfile();
    const receipt = await boughtInAppStore(world(), { notify: true });
    await world().simulator.advance('P32D');
    expect(await world().profile(profileId)).toMatchObject({ state: 'never-subscribed', totalRevenueUsd: 0 });
    dataOf(await world().validateAppStore({ ...receipt, profileId }));
    await shows(profileId, { state: 'subscribed', totalRevenueUsd: 19.98 });
    expect(await world().ledger(profileId)).toHaveLength(2);
  });
}
