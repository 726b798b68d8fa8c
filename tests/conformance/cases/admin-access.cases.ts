import assert from 'node:assert/strict';
import { device } from '../bodies.ts';
import { section } from '../case.ts';
import { soundCatalog } from '../catalog.ts';
import { App } from '../clients.ts';
import { accepted, eventually, refused, timestamp } from '../expectations.ts';
import { createApp } from '../preparation.ts';
import type { Json } from '../http.ts';

const access = section('admin-api.md: access');
const apps = section('admin-api.md: apps and keys');
const everyones = section('admin-api.md: everyone’s');

export const adminAccessCases = [
  access.withAdmin('Absent or wrong token: 401 INVALID_ADMIN_TOKEN', async ({ admin, app }) => {
    for (const authorization of [
      undefined,
      '',
      admin.token,
      `Basic ${admin.token}`,
      `Bearer ${admin.token}x`,
      'Bearer',
      'Bearer wrong',
    ])
      refused(await admin.get('/apps', { authorization }), 401, 'INVALID_ADMIN_TOKEN');
    for (const authorization of [app.key, `Bearer ${app.key}`])
      refused(await admin.post('/apps', { name: 'x' }, { authorization }), 401, 'INVALID_ADMIN_TOKEN');
  }),
  access.withAdmin('Order of refusal as in decision 9', async ({ admin }) => {
    const wrong = { authorization: 'Bearer wrong' };
    refused(await admin.get('/nothing', wrong), 404, 'ROUTE_NOT_FOUND');
    const answer = await admin.call('PATCH', '/apps', undefined, wrong);
    refused(answer, 405, 'METHOD_NOT_ALLOWED');
    assert.match(answer.headers.allow ?? '', /GET/);
    assert.match(answer.headers.allow ?? '', /POST/);
    refused(await admin.post('/apps', '{', wrong), 401, 'INVALID_ADMIN_TOKEN');
    refused(await admin.post('/apps', 'x', { 'content-type': 'text/plain' }), 415, 'UNSUPPORTED_MEDIA_TYPE');
    refused(await admin.post('/apps', '{'), 400, 'MALFORMED_JSON');
  }),
  access.withViewer('A viewer may GET', async ({ viewer, appId }) => {
    for (const path of ['/apps', `/apps/${appId}`, `/apps/${appId}/catalog`, '/audit'])
      assert.equal((await viewer.get(path)).status, 200, path);
  }),
  access.withViewer('A viewer who writes: 403 FORBIDDEN, before the body is looked at', async ({ viewer, appId }) => {
    refused(await viewer.post('/apps', { name: 'x' }), 403, 'FORBIDDEN');
    refused(await viewer.post('/apps', '{'), 403, 'FORBIDDEN');
    refused(await viewer.put(`/apps/${appId}/catalog`, soundCatalog), 403, 'FORBIDDEN');
    refused(await viewer.delete(`/apps/${appId}/keys/1`), 403, 'FORBIDDEN');
  }),
  access.withAdmin(
    'A list is {ok, data, nextCursor} with limit 1 to 200 and an opaque cursor; a wrong one of either: 400',
    async ({ admin, appId }) => {
      for (const path of ['/apps', '/audit', `/apps/${appId}/catalog/revisions`]) {
        const { body } = await admin.get(`${path}?limit=1`);
        assert.deepEqual(Object.keys(body).sort(), ['data', 'nextCursor', 'ok']);
        assert.ok(body.data.length === 1 && (body.nextCursor === null || typeof body.nextCursor === 'string'));
        accepted(await admin.get(`${path}?limit=200`), 200);
        for (const limit of ['0', '201', '-1', 'x', '1.5', ''])
          refused(await admin.get(`${path}?limit=${limit}`), 400, 'VALIDATION_FAILED', 'limit');
        refused(await admin.get(`${path}?cursor=%00nonsense`), 400, 'VALIDATION_FAILED', 'cursor');
      }
    },
  ),
  access.withAdmin('Following the cursors gives every entry once', async ({ admin }) => {
    const seen: number[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const answer = await admin.get(`/apps?limit=2${cursor && `&cursor=${encodeURIComponent(cursor)}`}`);
      seen.push(...accepted(answer, 200).map(({ id }: Json) => id));
      cursor = answer.body.nextCursor;
    }
    assert.equal(new Set(seen).size, seen.length);
    assert.ok(seen.length >= 2);
  }),
  access.withAdmin('Idempotency-Key is not read here', async ({ admin }) => {
    const key = { 'idempotency-key': 'conformance' };
    const ids = [await admin.post('/apps', { name: 'a' }, key), await admin.post('/apps', { name: 'b' }, key)].map(
      (answer) => accepted(answer, 201).id,
    );
    assert.notEqual(ids[0], ids[1]);
  }),
  access.withAdmin('Every write is recorded with the token’s name, secrets left out', async ({ admin }) => {
    const { id, secretKey } = await createApp(admin);
    const { key } = accepted(await admin.post(`/apps/${id}/keys`, { kind: 'secret' }), 201);
    accepted(await admin.put(`/apps/${id}/catalog`, soundCatalog), 200);
    const entries = await eventually('three audit entries', async () => {
      const rows = accepted(await admin.get('/audit?limit=200')).filter(({ appId }: Json) => appId === id);
      return rows.length >= 3 ? rows : null;
    });
    for (const entry of entries) {
      assert.deepEqual(Object.keys(entry).sort(), ['action', 'actor', 'after', 'appId', 'before', 'id', 'time']);
      assert.match(entry.time, timestamp);
      assert.ok(entry.actor.length > 0 && entry.actor !== admin.token);
    }
    const text = JSON.stringify(entries);
    for (const secret of [secretKey, key, admin.token]) assert.ok(!text.includes(secret));
  }),
  access.withAdmin('A dry run is no write: it is not in the audit', async ({ admin }) => {
    const { id } = await createApp(admin);
    accepted(await admin.put(`/apps/${id}/catalog?dryRun=true`, soundCatalog), 200);
    accepted(await admin.put(`/apps/${id}/catalog`, soundCatalog), 200);
    const rows = await eventually('the entry of the PUT', async () => {
      const found = accepted(await admin.get('/audit?limit=200')).filter(({ appId }: Json) => appId === id);
      return found.length >= 2 ? found : null;
    });
    assert.equal(rows.length, 2);
  }),

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
