import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { exampleCredentials, secretsOfExample } from '@paywright/store-credentials/testing';
import { adminGateway, viewerToken, type AdminGateway } from '../testing/admin-gateway.ts';
import { startedAt } from '../testing/surroundings.ts';

let gateway: AdminGateway;
beforeAll(async () => (gateway = await adminGateway()));
beforeEach(async () => {
  gateway.reset();
  await gateway.createApp();
});
afterAll(() => gateway.close());

const path = '/apps/1/credentials';
const time = new Date(startedAt).toISOString();
const none = { appStore: null, playStore: null, stripe: null };
const stores = [
  ['app-store', 'app_store', 'appStore'],
  ['play-store', 'play_store', 'playStore'],
  ['stripe', 'stripe', 'stripe'],
] as const;

const put = (segment: string, body: unknown, token?: string) =>
  gateway.call('PUT', `${path}/${segment}`, { body, ...(token !== undefined && { token }) });
const told = () => gateway.catalogService.sent.filter(({ type }) => type === 'RecordCredentialsChange');

describe('PUT credentials', () => {
  it.each(stores)(
    'for %s are kept, told to the audit without a secret, and never shown',
    async (segment, store, name) => {
      const answer = await put(segment, exampleCredentials[store]);
      expect([answer.status, answer.body]).toEqual([
        200,
        { ok: true, data: { ...none, [name]: { setAt: time, lastCheck: null } } },
      ]);
      expect(gateway.credentials.find(1, store)).toEqual(exampleCredentials[store]);
      expect(told()).toMatchObject([{ appId: 1, key: '1', body: { actor: 'ops', store, change: 'set' } }]);
      const shown = JSON.stringify([answer, await gateway.call('GET', path), told()]);
      for (const secret of secretsOfExample) expect(shown).not.toContain(secret);
    },
  );

  it('take Google’s key file as an object or as text, with all that it has', async () => {
    const { serviceAccount } = exampleCredentials.play_store;
    const file = { ...serviceAccount, type: 'service_account', project_id: 'example' };
    for (const given of [file, JSON.stringify(file)]) {
      expect((await put('play-store', { serviceAccount: given })).status).toBe(200);
      expect(gateway.credentials.find(1, 'play_store')).toEqual({ serviceAccount });
    }
  });

  it.each([
    ['app-store', {}, ['/issuerId', '/keyId', '/privateKey', '/appAppleId']],
    ['app-store', { ...exampleCredentials.app_store, privateKey: 'sentinel' }, ['/privateKey']],
    ['app-store', { ...exampleCredentials.app_store, appAppleId: '1234' }, ['/appAppleId']],
    ['play-store', { serviceAccount: 'sentinel' }, ['/serviceAccount']],
    ['play-store', { serviceAccount: { client_email: 'sentinel@x' } }, ['/serviceAccount/private_key']],
    ['play-store', { ...exampleCredentials.play_store, pushAudience: '' }, ['/pushAudience']],
    ['stripe', { apiKey: 'sentinel' }, ['/webhookSecrets']],
    ['stripe', { apiKey: 'sentinel', webhookSecrets: ['', 7] }, ['/webhookSecrets/0', '/webhookSecrets/1']],
    ['stripe', [], ['']],
    ['stripe', undefined, ['']],
  ])('for %s of another form are refused, every fault named: %#', async (segment, body, paths) => {
    const answer = await put(segment, body);
    expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
    const { details, error } = answer.body;
    expect(details.map((fault: { path: string }) => fault.path)).toEqual(paths);
    expect(error).toMatch(/\.$/);
    expect(JSON.stringify(answer.body)).not.toContain('sentinel');
    expect([gateway.credentials.summaries(1), told()]).toEqual([none, []]);
  });

  const keyFile = exampleCredentials.play_store.serviceAccount;
  it.each([
    ['stripe', undefined, 'The body must be an object.'],
    ['stripe', { apiKey: 'sk' }, '/webhookSecrets is required.'],
    ['stripe', { apiKey: 'sk', webhookSecrets: 'whsec' }, '/webhookSecrets must be a list.'],
    ['stripe', { apiKey: 'sk', webhookSecrets: [''] }, '/webhookSecrets/0 must have at least 1 character.'],
    ['stripe', { apiKey: 's'.repeat(513), webhookSecrets: [] }, '/apiKey must have at most 512 characters.'],
    ['stripe', { apiKey: 'sk', webhookSecrets: Array(21).fill('a') }, '/webhookSecrets must have at most 20 entries.'],
    ['app-store', { ...exampleCredentials.app_store, appAppleId: 1.5 }, '/appAppleId must be an integer.'],
    ['app-store', { ...exampleCredentials.app_store, appAppleId: 0 }, '/appAppleId must be greater than 0.'],
    ['app-store', { ...exampleCredentials.app_store, privateKey: 'no' }, '/privateKey is no P-256 private key in PEM.'],
    ['play-store', {}, '/serviceAccount is required.'],
    [
      'play-store',
      { serviceAccount: 'key.json' },
      '/serviceAccount must be Google’s key file, as an object or as text.',
    ],
    ['play-store', { serviceAccount: { ...keyFile, token_uri: 'x' } }, '/serviceAccount/token_uri must be an address.'],
  ])('for %s of another form are refused in words that say what to mend: %#', async (segment, body, sentence) => {
    expect((await put(segment, body)).body.error).toBe(sentence);
  });

  it('are not acknowledged before the audit has them; repeated, they are told again', async () => {
    gateway.readModel.reached = false;
    expect(await put('stripe', exampleCredentials.stripe)).toMatchObject({
      status: 503,
      body: { code: 'SERVICE_UNAVAILABLE' },
    });
    gateway.readModel.reached = true;
    expect((await put('stripe', exampleCredentials.stripe)).status).toBe(200);
    expect(told()).toHaveLength(2);
  });
});

describe('GET credentials', () => {
  it('are none at first', async () => {
    const { status, body } = await gateway.call('GET', path);
    expect([status, body]).toEqual([200, { ok: true, data: none }]);
  });

  it('show when they were set and what the store last said', async () => {
    await put('stripe', exampleCredentials.stripe);
    gateway.clock.advance(60_000);
    const credentials = gateway.credentials.find(1, 'stripe')!;
    await gateway.credentials.recordCheck(1, 'stripe', { credentials, ok: false, message: 'No.' });
    const lastCheck = { time: new Date(startedAt + 60_000).toISOString(), ok: false, message: 'No.' };
    expect((await gateway.call('GET', path)).body.data).toEqual({ ...none, stripe: { setAt: time, lastCheck } });
  });
});

describe('DELETE credentials', () => {
  it.each(stores)('for %s are gone, and told to the audit', async (...[segment, store]) => {
    await put(segment, exampleCredentials[store]);
    const { status, body } = await gateway.call('DELETE', `${path}/${segment}`);
    expect([status, body]).toEqual([200, { ok: true, data: none }]);
    expect(gateway.credentials.find(1, store)).toBeNull();
    expect(told().at(-1)).toMatchObject({ body: { actor: 'ops', store, change: 'removed' } });
  });

  it('where there are none changes nothing', async () => {
    const { status, body } = await gateway.call('DELETE', `${path}/stripe`);
    expect([status, body.data]).toEqual([200, none]);
  });

  it('tells the audit again when it could not be told', async () => {
    await put('stripe', exampleCredentials.stripe);
    gateway.readModel.reached = false;
    expect((await gateway.call('DELETE', `${path}/stripe`)).status).toBe(503);
    gateway.readModel.reached = true;
    expect((await gateway.call('DELETE', `${path}/stripe`)).status).toBe(200);
    expect(told().map(({ body }) => 'change' in body && body.change)).toEqual(['set', 'removed', 'removed']);
  });
});

describe('credentials', () => {
  it.each([
    ['PUT', 'stripe'],
    ['DELETE', 'stripe'],
    ['POST', 'stripe/check'],
  ] as const)('are not for a viewer: %s', async (method, segment) => {
    await put('stripe', exampleCredentials.stripe);
    const refused = await gateway.call(method, `${path}/${segment}`, {
      token: viewerToken,
      ...(method === 'PUT' && { body: exampleCredentials.stripe }),
    });
    expect(refused).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
    expect((await gateway.call('GET', path, { token: viewerToken })).body.data.stripe).toEqual({
      setAt: time,
      lastCheck: null,
    });
  });

  it.each([
    ['GET', ''],
    ['PUT', '/app-store'],
    ['DELETE', '/play-store'],
    ['POST', '/stripe/check'],
  ] as const)('of no app: %s%s', async (method, segment) => {
    expect(
      await gateway.call(method, `/apps/2/credentials${segment}`, {
        ...(method === 'PUT' && { body: exampleCredentials.app_store }),
      }),
    ).toMatchObject({ status: 404, body: { code: 'APP_NOT_FOUND' } });
  });

  it.each([
    ['PUT', '/web2wave', 404],
    ['PUT', '/app_store', 404],
    ['POST', '/stripe', 405],
    ['GET', '/stripe', 405],
    ['GET', '/stripe/check', 405],
  ] as const)('have no route %s %s, whoever asks', async (method, segment, status) => {
    expect((await gateway.call(method, `${path}${segment}`, { token: null })).status).toBe(status);
  });
});

describe('POST check', () => {
  it.each(stores.map(([segment, store]) => [segment, store] as const))(
    'of %s says where they cannot be opened',
    async (segment, store) => {
      await put(segment, exampleCredentials[store]);
      gateway.credentials.lock(1, store);
      const { status, body } = await gateway.call('POST', `${path}/${segment}/check`);
      expect([status, body.data]).toEqual([200, { ok: false, message: expect.stringContaining('another MASTER_KEY') }]);
    },
  );

  it.each(['app-store', 'play-store', 'stripe'])('of %s without credentials is refused', async (segment) => {
    expect(await gateway.call('POST', `${path}/${segment}/check`)).toMatchObject({
      status: 422,
      body: { code: 'STORE_NOT_CONFIGURED', error: 'The app has no credentials for this store: set them first.' },
    });
  });

  it.each([
    ['app-store', 'app_store', 'The catalog has no app.bundleId, by which the App Store knows the app.'],
    ['play-store', 'play_store', 'The catalog has no app.packageName, by which Google Play knows the app.'],
  ] as const)('of %s wants the app’s name there', async (segment, store, message) => {
    await put(segment, exampleCredentials[store]);
    const { status, body } = await gateway.call('POST', `${path}/${segment}/check`);
    expect([status, body]).toEqual([200, { ok: true, data: { ok: false, message } }]);
    const [, , name] = stores.find(([each]) => each === segment)!;
    expect((await gateway.call('GET', path)).body.data[name].lastCheck).toEqual({ time, ok: false, message });
  });
});
