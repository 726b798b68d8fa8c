import { expect, it } from '@jest/globals';
import { boughtAtPlay, boughtAtStripe, boughtInAppStore } from '../bought.ts';
import { eventually } from '../simulator.ts';
import { dataOf, type World } from '../world.ts';

/** A year of each store: every renewal is booked once, at its own time. */
export function aYearCases(world: () => World): void {
  it('passes, and each month is paid for once', async () => {
    const [apple, google, stripe] = [
      await world().newProfile(),
      await world().newProfile(),
      await world().newProfile(),
    ];
    const receipt = await boughtInAppStore(world(), { notify: true });
    dataOf(await world().validateAppStore({ ...receipt, profileId: apple }));
    const token = await boughtAtPlay(world(), { notify: true });
    dataOf(await world().validatePlayStore({ ...token, profileId: google }));
    await boughtAtStripe(world(), stripe);
    await world().simulator.advance('P1YT1H');
    for (const profileId of [apple, google, stripe])
      await eventually(async () => {
        const profile = await world().profile(profileId);
        expect(profile).toMatchObject({ state: 'subscribed', paid: true, totalRevenueUsd: 129.87 });
        const rows = await world().ledger(profileId);
        expect(rows).toHaveLength(13);
        expect(new Set(rows.map(({ transactionId }) => transactionId)).size).toBe(13);
        const months = rows.map(({ time }) => String(time).slice(0, 7));
        expect(new Set(months).size).toBeGreaterThanOrEqual(12);
      });
    const { subscriptions } = await world().profile(apple);
    expect(Date.parse(subscriptions['pro.monthly'].expiresAt)).toBeGreaterThan(await world().simulator.now());
  });

  it('with doubled, late and lost notifications the books are the same', async () => {
    const profileId = await world().newProfile();
    const receipt = await boughtInAppStore(world(), { notify: true });
    dataOf(await world().validateAppStore({ ...receipt, profileId }));
    for (const kind of ['notification-double', 'notification-delay', 'notification-reorder', 'notification-drop']) {
      await world().simulator.fault('app-store', kind);
      await world().simulator.advance('P32D');
      await world().simulator.mend();
    }
    await world().simulator.advance('P2D');
    await eventually(async () =>
      expect(await world().profile(profileId)).toMatchObject({ state: 'subscribed', totalRevenueUsd: 49.95 }),
    );
    expect(await world().ledger(profileId)).toHaveLength(5);
  });
}
