import { expect, it } from '@jest/globals';
import { boughtAtPlay, boughtInAppStore } from '../bought.ts';
import { eventually } from '../simulator.ts';
import { dataOf, type World } from '../world.ts';

/** News that never came: nothing but the stores' own histories tells of these, for a one-time purchase never ends. */
export function overdueNewsCases(world: () => World): void {
  const refunded = async (profileId: string) => {
    await world().simulator.advance('PT3H');
    await eventually(async () =>
      expect(await world().profile(profileId)).toMatchObject({ paid: false, totalRevenueUsd: 0, accessLevels: {} }),
    );
    expect((await world().ledger(profileId)).map(({ type }) => type)).toEqual(['refund', 'charge']);
  };

  it('a refund whose notification the App Store lost is found in its history', async () => {
    const profileId = await world().newProfile();
    const receipt = await boughtInAppStore(world(), { productId: 'lifetime', type: 'non-consumable', notify: true });
    dataOf(await world().validateAppStore({ ...receipt, profileId }));
    expect(await world().profile(profileId)).toMatchObject({ paid: true, totalRevenueUsd: 9.99 });
    await world().simulator.fault('app-store', 'notification-drop');
    await world().simulator.act('app-store', receipt.transactionId, 'refund');
    await refunded(profileId);
  });

  it('a refund whose notification Play lost is found among its voided purchases', async () => {
    const profileId = await world().newProfile();
    const lifetime = { productId: 'lifetime', basePlanId: undefined, type: 'one-time', notify: true };
    const receipt = await boughtAtPlay(world(), lifetime);
    dataOf(await world().validatePlayStore({ ...receipt, profileId }));
    expect(await world().profile(profileId)).toMatchObject({ paid: true, totalRevenueUsd: 9.99 });
    await world().simulator.fault('play-store', 'notification-drop');
    await world().simulator.act('play-store', receipt.purchaseToken, 'refund');
    await refunded(profileId);
  });
}
