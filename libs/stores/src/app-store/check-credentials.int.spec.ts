import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ManualClock } from '@paywright/platform';
import { exampleApp } from '../testing/app-store-payloads.ts';
import type { AnswerFault } from '../testing/loopback-server.ts';
import { AppStore } from './app-store.ts';
import { appStoreWorld, credentials, inTime, noon, type AppStoreWorld } from './testing/app-store-world.ts';

let world: AppStoreWorld;
beforeEach(async () => {
  world = await appStoreWorld();
});
afterEach(() => world.stop());

const storeWith = (over: object) =>
  new AppStore({ ...exampleApp, ...credentials, ...over }, world.settings, new ManualClock(noon));

describe('checkCredentials', () => {
  it('asks production for what does not exist', async () => {
    await expect(world.store.checkCredentials(inTime())).resolves.toMatchObject({ ok: true });
    expect(world.sandbox.calls).toEqual([]);
  });

  it('takes an app that is not yet released', async () => {
    world.production.faults.push({ kind: 'refused' });
    const check = await world.store.checkCredentials(inTime());
    expect(check).toMatchObject({ ok: true, message: expect.stringContaining('sandbox') });
  });

  it.each([{ keyId: 'KEY2' }, { issuerId: 'other' }, { bundleId: 'com.other' }])('refuses %j', async (over) => {
    const check = await storeWith(over).checkCredentials(inTime());
    expect(check).toMatchObject({ ok: false, message: expect.stringContaining('refuses') });
  });

  it('says that a key cannot be used', async () => {
    const check = await storeWith({ privateKey: 'x' }).checkCredentials(inTime());
    expect(check).toEqual({ ok: false, message: 'The App Store private key cannot be used.' });
  });

  it.each<AnswerFault>(['broken', 'html', 'reset', 'slow'])('is not sure of a store that is %s', async (kind) => {
    world.production.faults.push({ kind });
    world.sandbox.faults.push({ kind });
    const check = await world.store.checkCredentials(AbortSignal.timeout(300));
    expect(check).toMatchObject({ ok: false, message: expect.stringContaining('later') });
  });
});
