import assert from 'node:assert/strict';
import { device } from '../bodies.ts';
import { section } from '../case.ts';
import { soundCatalog } from '../catalog.ts';
import { App } from '../clients.ts';
import { accepted, eventually, refused, timestamp } from '../expectations.ts';
import { createApp } from '../preparation.ts';
import type { Json } from '../http.ts';

const apps = section('admin-api.md: apps and keys');
const everyones = section('admin-api.md: everyone’s');

export const appCases = [
  apps.withAdmin('POST /apps answers 201 with id, name, secretKey and publicKey', async ({ admin }) => {
    const created = accepted(await admin.post('/apps', { name: 'Sleep well' }), 201);
    assert.deepEqual(Object.keys(created).sort(), ['id', 'name', 'publicKey', 'secretKey']);
    assert.ok(Number.isInteger(created.id) && created.name === 'Sleep well');
    assert.notEqual(created.secretKey, created.publicKey);
  }),
  apps.withAdmin('An app needs a name', async ({ admin }) => {
    for (const name of [undefined, null, '', 7, 'x'.repeat(256)])
      refused(await admin.post('/apps', { name }), 400, 'VALIDATION_FAILED', 'name');
  }),
  apps.withAdmin('The secret is shown this once', async ({ admin }) => {
    const { id, name, secretKey, publicKey } = await createApp(admin);
    const answer = await admin.get(`/apps/${id}`);
    const shown = accepted(answer, 200);
    assert.deepEqual([shown.id, shown.name], [id, name]);
    assert.match(shown.createdAt, timestamp);
    assert.equal(shown.keys.length, 2);
    for (const key of shown.keys)
      assert.deepEqual(Object.keys(key).sort(), ['createdAt', 'id', 'kind', 'prefix', 'revokedAt']);
    assert.deepEqual(shown.keys.map(({ kind }: Json) => kind).sort(), ['public', 'secret']);
    assert.ok(
      !answer.text.includes(secretKey) &&
        secretKey.startsWith(shown.keys.find(({ kind }: Json) => kind === 'secret').prefix),
    );
    assert.ok(publicKey.startsWith(shown.keys.find(({ kind }: Json) => kind === 'public').prefix));
  }),
  apps.withAdmin('Simultaneous creation gives each app an id of its own', async ({ admin }) => {
    const created = await Promise.all(Array.from({ length: 6 }, () => createApp(admin)));
    assert.equal(new Set(created.map(({ id }) => id)).size, 6);
  }),
  apps.withAdmin('An unknown app: 404 APP_NOT_FOUND', async ({ admin }) => {
    for (const path of [
      '/apps/999999999',
      '/apps/999999999/catalog',
      '/apps/999999999/catalog/revisions',
      '/apps/999999999/profiles?query=x',
    ])
      refused(await admin.get(path), 404, 'APP_NOT_FOUND');
    refused(await admin.post('/apps/999999999/keys', { kind: 'secret' }), 404, 'APP_NOT_FOUND');
    refused(await admin.put('/apps/999999999/catalog', soundCatalog), 404, 'APP_NOT_FOUND');
  }),
  apps.withAdmin('A new key works here at once; the old ones stay valid until revoked', async ({ admin, app }) => {
    const { id, secretKey } = await createApp(admin);
    const issued = accepted(await admin.post(`/apps/${id}/keys`, { kind: 'secret' }), 201);
    assert.deepEqual(Object.keys(issued).sort(), ['createdAt', 'id', 'key', 'kind', 'prefix']);
    assert.ok(Number.isInteger(issued.id) && issued.key.startsWith(issued.prefix));
    for (const key of [issued.key, secretKey]) accepted(await new App(app.url, key).v1('/profiles', device), 201);
  }),
  apps.withAdmin('A new public key opens nothing in the REST API', async ({ admin, app }) => {
    const { id } = await createApp(admin);
    const { kind, key } = accepted(await admin.post(`/apps/${id}/keys`, { kind: 'public' }), 201);
    assert.equal(kind, 'public');
    refused(await new App(app.url, key).v1('/profiles', device), 401, 'INVALID_API_KEY');
  }),
  apps.withAdmin('kind is secret or public, else 400', async ({ admin, appId }) => {
    for (const kind of ['master', '', null, undefined, 1])
      refused(await admin.post(`/apps/${appId}/keys`, { kind }), 400, 'VALIDATION_FAILED', 'kind');
  }),
  apps.withAdmin('DELETE answers 200 {id, revokedAt}; the other keys go on', async ({ admin, app }) => {
    const { id, secretKey } = await createApp(admin);
    const { id: keyId } = accepted(await admin.post(`/apps/${id}/keys`, { kind: 'secret' }), 201);
    const revoked = accepted(await admin.delete(`/apps/${id}/keys/${keyId}`), 200);
    assert.equal(revoked.id, keyId);
    assert.match(revoked.revokedAt, timestamp);
    accepted(await new App(app.url, secretKey).v1('/profiles', device), 201);
    await eventually('the revocation in the app’s keys', async () => {
      const { keys } = accepted(await admin.get(`/apps/${id}`));
      return keys.find((key: Json) => key.id === keyId).revokedAt === revoked.revokedAt || null;
    });
  }),
  apps.withAdmin('An unknown key: 404 KEY_NOT_FOUND', async ({ admin, appId }) => {
    refused(await admin.delete(`/apps/${appId}/keys/999999`), 404, 'KEY_NOT_FOUND');
  }),

  everyones.withKey('GET /openapi.json describes every route, without a key', async (app) => {
    const answer = await app.call('GET', '/openapi.json', undefined, { authorization: undefined });
    assert.equal(answer.status, 200);
    assert.match(answer.body.openapi, /^3\./);
    const paths = [
      '/profiles',
      '/profiles/custom-attributes',
      '/profiles/custom-attributes-all',
      '/paywalls',
      '/events',
    ];
    const expected = [
      ...paths.map((path) => `/api/v1/web-api${path}`),
      '/v2/profiles',
      '/v2/paywall',
      '/v2/custom-attributes',
      '/admin/v1/apps',
      '/admin/v1/apps/{appId}/catalog',
    ];
    for (const path of expected) assert.ok(path in answer.body.paths, path);
  }),
  everyones.withKey('GET /docs is a page, without a key', async (app) => {
    const first = await app.call('GET', '/docs', undefined, { authorization: undefined });
    const page =
      first.status >= 300 && first.status < 400
        ? await app.call('GET', new URL(first.headers.location ?? '', `${app.url}/docs`).pathname, undefined, {
            authorization: undefined,
          })
        : first;
    assert.equal(page.status, 200);
    assert.match(page.headers['content-type'] ?? '', /^text\/html/);
  }),
];
