import { inspect } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ManualClock } from '@paywright/platform';
import { StoreFault } from '../store-fault.ts';
import { exampleApp, notificationPayload, transactionPayload } from '../testing/app-store-payloads.ts';
import { AppStorePki } from '../testing/app-store-pki.ts';
import type { AnswerFault } from '../testing/loopback-server.ts';
import { AppStore } from './app-store.ts';
import { appStoreWorld, credentials, inTime, noon, type AppStoreWorld } from './testing/app-store-world.ts';

let world: AppStoreWorld;
beforeAll(async () => {
  world = await appStoreWorld();
});
afterAll(() => world.stop());

const account = '7e3fb20b-4cdb-47cc-936d-99d65f608138';
const bought = { transactionId: '2000', originalTransactionId: '1000', productId: 'pro.monthly' };

/** All of an error that a log could show, hidden properties and causes included. */
const shown = (error: unknown) =>
  inspect(error, { depth: Infinity, showHidden: true, maxStringLength: Infinity, maxArrayLength: Infinity });

const thrownBy = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

function expectNoSecret(error: unknown): void {
  expect(error).toBeInstanceOf(StoreFault);
  expect(Reflect.ownKeys(error as object).sort()).toEqual(['kind', 'message', 'name', 'restMs', 'stack']);
  expect((error as Error).message).toMatch(/^[A-Z][\w ,.&-]*\.$/);
  const secrets = [
    ...credentials.privateKey.split('\n').filter((line) => line.length > 20),
    'PRIVATE KEY',
    'Bearer',
    'eyJ',
    credentials.keyId,
    credentials.issuerId,
    account,
    'Sign in',
    world.production.url,
  ];
  for (const secret of secrets) expect(shown(error)).not.toContain(secret);
}

const faults: AnswerFault[] = ['refused', 'not-found', 'too-many', 'broken', 'html', 'garbage', 'slow', 'reset'];

it.each(faults)('tells nothing when both environments answer %s', async (kind) => {
  world.production.faults.push({ kind });
  world.sandbox.faults.push({ kind });
  expectNoSecret(await thrownBy(world.store.validate(bought, AbortSignal.timeout(200))));
});

it('tells nothing of a transaction that it refuses', async () => {
  for (const over of [{ bundleId: 'com.other' }, { revocationDate: noon }, { productId: 'x' }, { price: 'x' }]) {
    world.sells({ appAccountToken: account, ...over });
    expectNoSecret(await thrownBy(world.store.validate(bought, inTime())));
  }
});

it('tells nothing of a notification that it refuses', async () => {
  const foreign = await AppStorePki.create();
  const signedTransactionInfo = foreign.sign(transactionPayload(noon, { appAccountToken: account }));
  const payload = notificationPayload(noon, 'DID_RENEW', { signedTransactionInfo });
  for (const signedPayload of [world.pki.sign(payload), foreign.sign(payload), 'eyJ.eyJ.eyJ', 'eyJ', 7])
    expectNoSecret(await thrownBy(world.store.readNotification(JSON.stringify({ signedPayload }), inTime())));
});

it('tells nothing of a key that cannot sign, or that is for another use', async () => {
  for (const privateKey of [credentials.privateKey.slice(0, 100), `${credentials.privateKey}x`.slice(30)]) {
    const store = new AppStore({ ...exampleApp, ...credentials, privateKey }, world.settings, new ManualClock(noon));
    expectNoSecret(await thrownBy(store.validate(bought, inTime())));
  }
});
