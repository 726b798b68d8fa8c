import { generateKeyPairSync } from 'node:crypto';
import { mock } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { exampleCatalogJson } from '@paywright/contracts/testing';
import { SystemClock } from '@paywright/platform';
import { exampleCredentials, secretsOfExample } from '@paywright/store-credentials/testing';
import { storesConfig, storeSettings } from '@paywright/stores';
import { AppStoreApiServer, PlayApiServer, StripeApiServer } from '@paywright/stores/testing';
import { z } from 'zod';
import { adminGateway, type AdminGateway } from '../testing/admin-gateway.ts';

const { bundleId, packageName } = exampleCatalogJson.app;
const { privateKey, publicKey } = generateKeyPairSync('ec', {
  namedCurve: 'P-256',
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});
const appStoreKey = { ...exampleCredentials.app_store, privateKey };

let apple: AppStoreApiServer;
let google: PlayApiServer;
let stripe: StripeApiServer;
let gateway: AdminGateway;
beforeAll(async () => {
  const { issuerId, keyId } = appStoreKey;
  apple = await AppStoreApiServer.start({ bundleId, issuerId, keyId, publicKey });
  google = await PlayApiServer.start({ packageName, wallClock: new SystemClock() });
  stripe = await StripeApiServer.start(exampleCredentials.stripe.apiKey);
  const variables = {
    APPSTORE_API_BASE: apple.url,
    APPSTORE_API_BASE_SANDBOX: apple.url,
    PLAY_API_BASE: google.url,
    GOOGLE_TOKEN_URIS: `${google.url}/token`,
    STRIPE_API_BASE: stripe.url,
  };
  gateway = await adminGateway(storeSettings({ ...z.object(storesConfig).parse(variables), NODE_ENV: 'test' }));
  await gateway.createApp();
  await gateway.call('PUT', '/apps/1/catalog', { body: exampleCatalogJson });
});
afterEach(() => mock.restoreAll());
afterAll(async () => {
  await gateway.close();
  await Promise.all([apple.stop(), google.stop(), stripe.stop()]);
});

const put = (segment: string, body: unknown) => gateway.call('PUT', `/apps/1/credentials/${segment}`, { body });
const check = async (segment: string) => {
  const { status, body } = await gateway.call('POST', `/apps/1/credentials/${segment}/check`);
  const { appStore, playStore, stripe: ofStripe } = (await gateway.call('GET', '/apps/1/credentials')).body.data;
  const { lastCheck } = { 'app-store': appStore, 'play-store': playStore, stripe: ofStripe }[segment];
  expect(lastCheck).toMatchObject(body.data);
  return [status, body.data];
};

describe('a check', () => {
  it('says that the App Store takes the key, or refuses it', async () => {
    await put('app-store', appStoreKey);
    expect(await check('app-store')).toEqual([200, { ok: true, message: 'The App Store takes the credentials.' }]);
    await put('app-store', exampleCredentials.app_store);
    expect(await check('app-store')).toEqual([
      200,
      { ok: false, message: 'The App Store refuses issuerId, keyId and privateKey for this bundle id.' },
    ]);
  });

  it('says that Google Play takes the service account, or refuses it', async () => {
    const { pushAudience, pushServiceAccountEmail } = exampleCredentials.play_store;
    await put('play-store', { serviceAccount: google.serviceAccount, pushAudience, pushServiceAccountEmail });
    expect(await check('play-store')).toEqual([200, { ok: true, message: 'Google Play takes the service account.' }]);
    await put('play-store', exampleCredentials.play_store);
    expect(await check('play-store')).toMatchObject([200, { ok: false }]);
  });

  it('says that Stripe takes the key, or refuses it', async () => {
    await put('stripe', exampleCredentials.stripe);
    expect(await check('stripe')).toEqual([200, { ok: true, message: 'Stripe takes the API key.' }]);
    await put('stripe', { ...exampleCredentials.stripe, apiKey: 'sk_live_wrong' });
    expect(await check('stripe')).toEqual([200, { ok: false, message: 'Stripe refused the API key.' }]);
  });

  it('says that notifications will be refused, whatever the store says of its API', async () => {
    await put('play-store', { serviceAccount: google.serviceAccount });
    expect((await check('play-store'))[1].message).toBe(
      'Google Play takes the service account. Its notifications are refused for lack of pushAudience and pushServiceAccountEmail.',
    );
    await put('stripe', { ...exampleCredentials.stripe, webhookSecrets: [] });
    expect((await check('stripe'))[1].message).toBe(
      'Stripe takes the API key. Its notifications are refused for lack of webhookSecrets.',
    );
  });

  it('ends after 5 s where a store does not answer, and shows no secret', async () => {
    await put('stripe', exampleCredentials.stripe);
    stripe.faults.push({ kind: 'slow' });
    const patience = new AbortController();
    const timeout = mock.method(AbortSignal, 'timeout', () => patience.signal);
    const checking = check('stripe');
    while (stripe.calls.at(-1)?.status !== null) await turn();
    expect(timeout.mock.calls.map(({ arguments: [ms] }) => ms)).toEqual([5_000]);
    patience.abort();
    const answer = await checking;
    expect(answer).toMatchObject([200, { ok: false, message: expect.stringMatching(/\.$/) }]);
    for (const secret of secretsOfExample) expect(JSON.stringify(answer)).not.toContain(secret);
  });
});
