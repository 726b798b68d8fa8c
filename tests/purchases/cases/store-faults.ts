import { afterEach, expect, it } from '@jest/globals';
import { boughtAtPlay, boughtInAppStore } from '../bought.ts';
import { dataOf, type World } from '../world.ts';
import { persistently, type SimulatedStore } from '../simulator.ts';

const faults = ['timeout', '429', '500', 'garbage', 'reset', 'html', '401'];

/** A store that does not answer, or not as it should. */
export function storeFaultCases(world: () => World): void {
  afterEach(() => world().simulator.mend());

  const buy: Record<'app-store' | 'play-store', () => Promise<object>> = {
    'app-store': () => boughtInAppStore(world()),
    'play-store': () => boughtAtPlay(world()),
  };
  const report = (store: 'app-store' | 'play-store', body: object) =>
    store === 'app-store' ? world().validateAppStore(body) : world().validatePlayStore(body);

  const cases = (['app-store', 'play-store'] as const).flatMap((store) =>
    faults.map((fault) => [store, fault] as const),
  );
  it.each(cases)('%s, %s: 503, nothing stored, and the next try finds everything', async (store, fault) => {
    const profileId = await world().newProfile();
    const before = await world().everything(profileId);
    const receipt = await buy[store]();
    await world().simulator.fault(store satisfies SimulatedStore, fault, persistently);
    const answer = await report(store, { ...receipt, profileId });
    expect(answer).toMatchObject({ status: 503, body: { code: 'STORE_UNAVAILABLE', error: expect.any(String) } });
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    expect(await world().everything(profileId)).toEqual(before);
    await world().simulator.mend();
    const repeated = dataOf(await report(store, { ...receipt, profileId }));
    expect(repeated).toMatchObject({ state: 'subscribed', totalRevenueUsd: 9.99 });
  });

  it('a slow store is waited for', async () => {
    const profileId = await world().newProfile();
    const receipt = await boughtInAppStore(world());
    await world().simulator.call('POST', '/faults', { store: 'app-store', kind: 'slow', count: 1, delayMs: 1_500 });
    expect(dataOf(await world().validateAppStore({ ...receipt, profileId }))).toMatchObject({ totalRevenueUsd: 9.99 });
  });
}
