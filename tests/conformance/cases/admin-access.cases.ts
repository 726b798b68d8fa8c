import assert from 'node:assert/strict';
import { section } from '../case.ts';
import { soundCatalog } from '../catalog.ts';
import { accepted, eventually, refused, timestamp } from '../expectations.ts';
import { createApp } from '../preparation.ts';
import type { Json } from '../http.ts';

const access = section('admin-api.md: access');

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
];
