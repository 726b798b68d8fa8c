import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { device, newProfileId, someone } from '../bodies.ts';
import { section } from '../case.ts';
import type { App } from '../clients.ts';
import { accepted, eventually, identical, invalid, refused, uuid } from '../expectations.ts';

const idempotency = section('decisions.md, 6: idempotency');
const withKey = (key: string = randomUUID()) => ({ 'idempotency-key': key });
const attributes = '/profiles/custom-attributes';

async function attribute(app: App, profileId: string, key: string): Promise<string> {
  return accepted(await app.v1(attributes, { profileId, custom: { key, value: 'x' } }), 201).id;
}

export const idempotencyCases = [
  idempotency.withKey('The same key and body give the same status and body again', async (app) => {
    const key = withKey();
    const first = await app.v1('/profiles', device, key);
    accepted(first, 201);
    for (let repeat = 0; repeat < 3; repeat++) identical(await app.v1('/profiles', device, key), first);
    assert.notEqual((await app.v1('/profiles', device)).body.data.profileId, first.body.data.profileId);
  }),
  idempotency.withPlacement('Every POST and PUT takes a key: paywalls', async ({ app, placement }) => {
    const body = { profileId: await newProfileId(app), placementId: placement };
    for (const fetch of [app.v1.bind(app, '/paywalls'), app.v2.bind(app, '/paywall')]) {
      const key = withKey();
      const first = await fetch(body, key);
      accepted(first, 200);
      identical(await fetch(body, key), first);
      assert.notEqual((await fetch(body)).body.data.paywallSessionId, first.body.data.paywallSessionId);
    }
  }),
  idempotency.withKey('Every POST and PUT takes a key: attributes', async (app) => {
    const profileId = await newProfileId(app);
    const posts = [
      [attributes, { profileId, custom: { key: 'a', value: '1' } }],
      [`${attributes}-all`, { profileId, custom: [{ key: 'b', value: '1' }] }],
    ] as const;
    for (const [path, body] of posts) {
      const key = withKey();
      const first = await app.v1(path, body, key);
      accepted(first, 201);
      identical(await app.v1(path, body, key), first);
    }
    const key = withKey();
    const v2 = await app.v2('/custom-attributes', { profileId, custom: [{ key: 'c', value: '1' }] }, key);
    accepted(v2, 201);
    identical(await app.v2('/custom-attributes', { profileId, custom: [{ key: 'c', value: '1' }] }, key), v2);
    const change = { profileId, attrId: v2.body.data[0].id, custom: { key: 'c', value: '2' } };
    const put = await app.v1Put(attributes, change, key);
    accepted(put, 200);
    identical(await app.v1Put(attributes, change, key), put);
  }),
  idempotency.withKey('Bodies are compared as JSON', async (app) => {
    const key = withKey();
    const first = await app.v1('/profiles', device, key);
    accepted(first, 201);
    const reordered = Object.fromEntries(Object.entries(device).reverse());
    identical(await app.v1('/profiles', JSON.stringify(reordered, null, 2), key), first);
    identical(await app.v1('/profiles', JSON.stringify(device).replace('"DE"', '"\\u0044E"'), key), first);
  }),
  idempotency.withKey('Another JSON body, valid or not: 422 IDEMPOTENCY_KEY_REUSED', async (app) => {
    const key = withKey();
    accepted(await app.v1('/profiles', device, key), 201);
    for (const body of [{ ...device, os: 'other' }, { ...device, country: 7 }, {}, [], null, 'null'])
      refused(await app.v1('/profiles', body, key), 422, 'IDEMPOTENCY_KEY_REUSED');
  }),
  idempotency.withKey('A second request while the first runs waits for its answer', async (app) => {
    const key = withKey();
    const answers = await Promise.all(Array.from({ length: 12 }, () => app.v1('/profiles', device, key)));
    for (const answer of answers) identical(answer, answers[0]!);
    assert.match(accepted(answers[0]!, 201).profileId, uuid);
  }),
  idempotency.withKey('Of simultaneous requests with one key and other bodies one is taken', async (app) => {
    const key = withKey();
    const bodies = Array.from({ length: 8 }, (_, index) => ({ ...device, os: `os ${index}` }));
    const answers = await Promise.all(bodies.map((body) => app.v1('/profiles', body, key)));
    assert.equal(answers.filter(({ status }) => status === 201).length, 1);
    for (const answer of answers.filter(({ status }) => status !== 201)) refused(answer, 422, 'IDEMPOTENCY_KEY_REUSED');
  }),
  idempotency.withAdmin('Scoped by app', async ({ app, otherApp }) => {
    const key = withKey();
    const first = accepted(await app.v1('/profiles', device, key), 201);
    assert.notEqual(accepted(await otherApp.v1('/profiles', device, key), 201).profileId, first.profileId);
  }),
  idempotency.withKey('Scoped by method and path', async (app) => {
    const key = withKey();
    const { profileId } = accepted(await app.v1('/profiles', device, key), 201);
    accepted(await app.v2('/profiles', { ...device, appVersion: '1' }, key), 201);
    const { id } = accepted(await app.v1(attributes, { profileId, custom: { key: 'a', value: '1' } }, key), 201);
    accepted(await app.v1Put(attributes, { profileId, attrId: id, custom: { key: 'a', value: '2' } }, key), 200);
  }),
  idempotency.withKey('A 400 is kept', async (app) => {
    const key = withKey();
    const first = await app.v1('/profiles', { ...device, country: 'ZZ' }, key);
    invalid(first, 'country');
    identical(await app.v1('/profiles', { ...device, country: 'ZZ' }, key), first);
    refused(await app.v1('/profiles', device, key), 422, 'IDEMPOTENCY_KEY_REUSED');
  }),
  idempotency.withKey('A 404 is kept', async (app) => {
    const [key, customerUserId] = [withKey(), someone()];
    const body = { customerUserId, custom: { key: 'a', value: '1' } };
    const first = await app.v1(attributes, body, key);
    refused(first, 404, 'PROFILE_NOT_FOUND');
    await newProfileId(app, { customerUserId });
    identical(await app.v1(attributes, body, key), first);
    accepted(await app.v1(attributes, body), 201);
  }),
  idempotency.withKey('A 422 is kept', async (app) => {
    const [key, profileId] = [withKey(), await newProfileId(app)];
    const [first, second] = [await attribute(app, profileId, 'a'), await attribute(app, profileId, 'b')];
    const rename = { profileId, attrId: first, custom: { key: 'b', value: 'x' } };
    const refusal = await app.v1Put(attributes, rename, key);
    refused(refusal, 422, 'ATTRIBUTE_KEY_TAKEN');
    accepted(await app.v1Put(attributes, { profileId, attrId: second, custom: { key: 'c', value: 'x' } }), 200);
    identical(await app.v1Put(attributes, rename, key), refusal);
  }),
  idempotency.withKey('A 401 is not kept', async (app) => {
    const key = withKey();
    refused(await app.v1('/profiles', device, { ...key, authorization: 'wrong' }), 401, 'INVALID_API_KEY');
    accepted(await app.v1('/profiles', device, key), 201);
    refused(await app.v1('/profiles', device, { ...key, authorization: 'wrong' }), 401, 'INVALID_API_KEY');
  }),
  idempotency.withAdmin('A repeated events batch is stored once', async ({ app, admin, appId }) => {
    const [key, profileId] = [withKey(), await newProfileId(app)];
    const body = [
      { eventType: 'opened', profileId },
      { eventType: 'opened', profileId },
    ];
    const answers = await Promise.all(Array.from({ length: 5 }, () => app.v1('/events', body, key)));
    for (const answer of answers) identical(answer, answers[0]!);
    accepted(await app.v1('/events', [{ eventType: 'last', profileId }]), 200);
    const texts = await eventually('the last event', async () => {
      const entries = accepted(await admin.get(`/apps/${appId}/profiles/${profileId}/timeline?limit=200`));
      const types = entries.map((entry: unknown) => JSON.stringify(entry));
      return types.some((text: string) => text.includes('"last"')) ? types : null;
    });
    assert.equal(texts.filter((text: string) => text.includes('"opened"')).length, 2);
  }),
  idempotency.withKey('A key of 1 to 255 visible ASCII characters', async (app) => {
    for (const key of ['!', '~', randomUUID().padEnd(255, 'x')])
      assert.notEqual((await app.v1('/profiles', device, withKey(key))).status, 400, key);
    for (const key of ['', 'x'.repeat(256), 'two words', 'caf\u00e9'])
      refused(await app.v1('/profiles', device, withKey(key)), 400, 'VALIDATION_FAILED', /idempotency-key/i);
  }),
];
