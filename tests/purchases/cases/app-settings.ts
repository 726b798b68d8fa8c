import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { boughtAtStripe, boughtInAppStore } from '../bought.ts';
import { catalogOf } from '../catalog.ts';
import { eventually } from '../simulator.ts';
import { dataOf, type World } from '../world.ts';

/** As the admin API promises. */
const catalogServedWithinMs = 2_000;

/** What an app's settings decide: its keys to the stores, and who keeps a purchase that two report. */
export function appSettingCases(world: () => World): void {
  it('an app without keys to a store is told so, and its notifications wait', async () => {
    const { admin, a } = world();
    const profileId = await world().newProfile();
    const receipt = await boughtInAppStore(world());
    const [letter] = await world().post.holding(async () => void (await boughtAtStripe(world(), profileId)));
    try {
      for (const store of ['app-store', 'stripe']) dataOf(await admin.delete(`/apps/${a.appId}/credentials/${store}`));
      await eventually(async () => {
        const answer = await world().validateAppStore({ ...receipt, profileId });
        expect(answer).toMatchObject({ status: 422, body: { code: 'STORE_NOT_CONFIGURED' } });
        const waits = await world().post.deliver(letter!);
        expect(waits).toMatchObject({ status: 503, body: { code: 'STORE_NOT_CONFIGURED' } });
      });
    } finally {
      dataOf(await admin.put(`/apps/${a.appId}/credentials/app-store`, a.keys.appStore));
      dataOf(await admin.put(`/apps/${a.appId}/credentials/stripe`, a.keys.stripe));
    }
    await eventually(async () => expect((await world().post.deliver(letter!)).status).toBeLessThan(300));
    await eventually(async () => expect(await world().profile(profileId)).toMatchObject({ totalRevenueUsd: 9.99 }));
    expect((await world().validateAppStore({ ...receipt, profileId })).status).toBe(200);
  });

  it('keeps a purchase with whom it belongs to, if the app says so', async () => {
    const { admin, a } = world();
    const catalog = catalogOf(a.bundleId);
    const [first, second] = [await world().newProfile(), await world().newProfile()];
    const receipt = await boughtInAppStore(world());
    dataOf(await world().validateAppStore({ ...receipt, profileId: first }));
    dataOf(await admin.put(`/apps/${a.appId}/catalog`, { ...catalog, app: { ...catalog.app, restorePolicy: 'keep' } }));
    try {
      await delay(catalogServedWithinMs);
      const answer = await world().validateAppStore({ ...receipt, profileId: second, source: 'restore' });
      expect(answer).toMatchObject({ status: 422, body: { code: 'PURCHASE_BELONGS_TO_ANOTHER_PROFILE' } });
      expect(await world().profile(first)).toMatchObject({ state: 'subscribed', totalRevenueUsd: 9.99 });
      expect(await world().profile(second)).toMatchObject({ state: 'never-subscribed', paid: false });
    } finally {
      dataOf(await admin.put(`/apps/${a.appId}/catalog`, catalog));
    }
  });
}
