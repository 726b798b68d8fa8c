import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { exampleCredentials } from '@paywright/store-credentials/testing';
import { adminGateway, viewerToken, type AdminGateway } from './testing/admin-gateway.ts';

let gateway: AdminGateway;
beforeAll(async () => {
  gateway = await adminGateway();
  await gateway.createApp();
});
afterAll(() => gateway.close());

const { play_store: playStore } = exampleCredentials;

it.each([
  ['POST', '/apps', { name: 'New', bundleId: 'com.example' }, 'The body of this route takes name alone.'],
  ['POST', '/apps', { Name: 'New' }, 'The body of this route takes name alone.'],
  ['POST', '/apps/1/keys', { kind: 'public', name: 'ours' }, 'The body of this route takes kind alone.'],
  ['PUT', '/apps/1/models/main/ai-share', { aiShare: 1, until: '2030' }, 'The body of this route takes aiShare alone.'],
  [
    'PUT',
    '/apps/1/credentials/play-store',
    { ...playStore, pushaudience: 'https://example.com' },
    'The body of this route takes serviceAccount, pushAudience and pushServiceAccountEmail alone.',
  ],
  ['POST', '/apps/1/models/main/freeze', { until: '2030' }, 'The body of this route takes no field.'],
  ['POST', '/dead-letters/1/discard', { reason: 'old' }, 'The body of this route takes no field.'],
] as const)(
  'names what the body of a route takes where it has something else: %s %s',
  async (method, path, body, error) => {
    const answer = await gateway.call(method, path, { body });
    expect([answer.status, answer.body]).toEqual([400, { code: 'VALIDATION_FAILED', error }]);
  },
);

it('leaves it to a catalog to name the place of each field that it does not know', async () => {
  const { status, body } = await gateway.call('PUT', '/apps/1/catalog', { body: { paywal: [], products: [] } });
  expect([status, body.details]).toEqual([400, [expect.objectContaining({ path: '/paywal' })]]);
});

it('says so to those alone who may take the route', async () => {
  const body = { name: 'New', bundleId: 'com.example' };
  expect(await gateway.call('POST', '/apps', { body, token: null })).toMatchObject({ status: 401 });
  expect(await gateway.call('POST', '/apps', { body, token: viewerToken })).toMatchObject({ status: 403 });
});

it('takes a body without a field where none is taken', async () =>
  expect(await gateway.call('POST', '/dead-letters/1/discard', { body: {} })).not.toMatchObject({ status: 400 }));
