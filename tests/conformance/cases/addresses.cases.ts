import assert from 'node:assert/strict';
import { device, newProfileId } from '../bodies.ts';
import { section } from '../case.ts';
import { accepted, invalid, refused, timestamp } from '../expectations.ts';
import { methodsByPath, routes } from '../routes.ts';

const addresses = section('decisions.md, 1 to 5 and 8: addresses and envelope');
const order = section('decisions.md, 9: order of refusal');
const mebibyte = 1024 * 1024;
const profiles = '/api/v1/web-api/profiles';

/** A profile request of exactly this many bytes. */
function bodyOf(bytes: number): string {
  const empty = JSON.stringify({ ...device, padding: '' });
  return JSON.stringify({ ...device, padding: 'x'.repeat(bytes - empty.length) });
}

export const addressCases = [
  addresses.withKey('v1 at /api/v1/web-api, v2 at /v2', async (app) => {
    accepted(await app.v1('/profiles', device), 201);
    accepted(await app.v2('/profiles', { ...device, appVersion: '1' }), 201);
  }),
  addresses.withKey('An unknown path: 404 ROUTE_NOT_FOUND', async (app) => {
    for (const path of [
      '/',
      '/api/v1/web-api',
      '/api/v1/web-api/nothing',
      '/v2/paywalls',
      '/v3/profiles',
      '/admin/v1/nothing',
    ])
      refused(await app.call('POST', path, {}), 404, 'ROUTE_NOT_FOUND');
  }),
  addresses.withKey('405 with Allow', async (app) => {
    for (const [path, methods] of methodsByPath)
      for (const method of ['GET', 'DELETE', 'PATCH', 'PUT'].filter((other) => !methods.includes(other))) {
        const answer = await app.call(method, path);
        refused(answer, 405, 'METHOD_NOT_ALLOWED');
        const allowed = (answer.headers.allow ?? '').split(/\s*,\s*/);
        for (const known of methods)
          assert.ok(allowed.includes(known), `${path} allows ${known}: ${answer.headers.allow}`);
        assert.ok(!allowed.includes(method), `${path} does not allow ${method}`);
      }
  }),
  addresses.withKey('Answers and refusals are JSON', async (app) => {
    for (const answer of [
      await app.v1('/profiles', device),
      await app.v1('/profiles', {}),
      await app.v1('/nothing', {}),
    ])
      assert.match(answer.headers['content-type'] ?? '', /^application\/json\b/);
  }),
  addresses.withKey('Success envelope: ok and data; error envelope: error and code', async (app) => {
    assert.deepEqual(Object.keys((await app.v1('/profiles', device)).body).sort(), ['data', 'ok']);
    const { error, code } = refused(await app.v1('/profiles', {}), 400, 'VALIDATION_FAILED');
    assert.ok(error.length > 0 && /^[A-Z][A-Z_]+$/.test(code));
  }),
  addresses.withKey('Content type other than application/json: 415 UNSUPPORTED_MEDIA_TYPE', async (app) => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/jsonx',
      'multipart/form-data',
      'json',
    ])
      for (const { method, path } of routes)
        refused(await app.call(method, path, '{}', { 'content-type': type }), 415, 'UNSUPPORTED_MEDIA_TYPE');
  }),
  addresses.withKey('application/json with parameters is allowed', async (app) => {
    for (const type of ['application/json; charset=utf-8', 'application/json;charset=UTF-8', 'Application/JSON'])
      accepted(await app.v1('/profiles', device, { 'content-type': type }), 201);
  }),
  addresses.withKey('A body without Content-Type: 415', async (app) => {
    refused(await app.v1('/profiles', device, { 'content-type': undefined }), 415, 'UNSUPPORTED_MEDIA_TYPE');
  }),
  addresses.withKey('A body that is not JSON: 400 MALFORMED_JSON', async (app) => {
    for (const body of ['{', '{"country":}', 'country', "{'country':'DE'}", '[1,]', '{} {}', '\u0000'])
      for (const { method, path } of routes) refused(await app.call(method, path, body), 400, 'MALFORMED_JSON');
  }),
  addresses.withKey('A JSON body that is no object (no array for events): 400', async (app) => {
    for (const body of ['null', '1', '"text"', 'true'])
      for (const { method, path } of routes) refused(await app.call(method, path, body), 400, 'VALIDATION_FAILED');
    refused(await app.v1('/profiles', '[]'), 400, 'VALIDATION_FAILED');
  }),
  addresses.withKey('A request without a body: 400', async (app) => {
    for (const { method, path } of routes) assert.equal((await app.call(method, path)).status, 400, path);
  }),
  addresses.withKey('A body of 1 MiB is taken, one byte more: 413 PAYLOAD_TOO_LARGE', async (app) => {
    accepted(await app.v1('/profiles', bodyOf(mebibyte)), 201);
    for (const { method, path } of routes)
      refused(await app.call(method, path, bodyOf(mebibyte + 1)), 413, 'PAYLOAD_TOO_LARGE');
  }),
  addresses.withKey('Unknown fields are ignored in v1 and stripped in v2, never an error', async (app) => {
    const profile = accepted(await app.v1('/profiles', { ...device, contry: 'XX', nested: { deep: [1] } }), 201);
    assert.ok(!('contry' in profile));
    const stripped = accepted(await app.v2('/profiles', { ...device, appVersion: '1', contry: 'XX', nested: {} }), 201);
    assert.ok(!('contry' in stripped));
    const profileId = await newProfileId(app);
    accepted(
      await app.v1('/profiles/custom-attributes', { profileId, extra: 1, custom: { key: 'a', value: 'b', extra: 1 } }),
      201,
    );
    accepted(
      await app.v2('/custom-attributes', { profileId, extra: 1, custom: [{ key: 'c', value: 'd', extra: 1 }] }),
      201,
    );
    accepted(await app.v1('/events', [{ eventType: 'opened', profileId, extra: {} }]), 200);
  }),
  addresses.withKey('Field names are case-sensitive camelCase', async (app) => {
    invalid(await app.v1('/profiles', { ...device, country: undefined, Country: 'DE' }), 'country');
  }),
  addresses.withKey('Timestamps: ISO 8601, UTC, milliseconds', async (app) => {
    const { createdAt, createdDate } = accepted(await app.v1('/profiles', device));
    const second = accepted(await app.v2('/profiles', { ...device, appVersion: '1' }));
    for (const time of [createdAt, createdDate, second.createdAt, second.updatedAt]) assert.match(time, timestamp);
  }),

  order.withKey('404 ROUTE_NOT_FOUND before 401', async (app) => {
    refused(await app.v1('/nothing', '{', { authorization: 'wrong' }), 404, 'ROUTE_NOT_FOUND');
  }),
  order.withKey('405 METHOD_NOT_ALLOWED before 401', async (app) => {
    const answer = await app.call('GET', profiles, undefined, { authorization: 'wrong' });
    refused(answer, 405, 'METHOD_NOT_ALLOWED');
  }),
  order.withKey('401 before 415, 413 and 400: authentication is checked before the body', async (app) => {
    const wrong = { authorization: 'wrong' };
    for (const { method, path } of routes) {
      refused(await app.call(method, path, 'x', { ...wrong, 'content-type': 'text/plain' }), 401, 'INVALID_API_KEY');
      refused(await app.call(method, path, bodyOf(2 * mebibyte), wrong), 401, 'INVALID_API_KEY');
      refused(await app.call(method, path, '{', wrong), 401, 'INVALID_API_KEY');
      refused(await app.call(method, path, undefined, wrong), 401, 'INVALID_API_KEY');
    }
  }),
  order.withKey('415 before 413', async (app) => {
    const answer = await app.v1('/profiles', bodyOf(2 * mebibyte), { 'content-type': 'text/plain' });
    refused(answer, 415, 'UNSUPPORTED_MEDIA_TYPE');
  }),
  order.withKey('413 before 400', async (app) => {
    refused(await app.v1('/profiles', '{'.repeat(mebibyte + 1)), 413, 'PAYLOAD_TOO_LARGE');
  }),
  order.withKey('400 before the 404 of what the body names', async (app) => {
    invalid(await app.v1('/paywalls', { profileId: 'unknown', placementId: 'unknown', country: 'ZZ' }), 'country');
    invalid(
      await app.v1('/profiles/custom-attributes', { profileId: 'unknown', custom: { key: '', value: '' } }),
      'key',
    );
  }),
];
