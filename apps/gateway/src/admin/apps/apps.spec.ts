import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { adminGateway, type AdminGateway } from '../testing/admin-gateway.ts';
import { startedAt } from '../testing/surroundings.ts';

let gateway: AdminGateway;
beforeAll(async () => (gateway = await adminGateway()));
beforeEach(() => gateway.reset());
afterAll(() => gateway.close());

const time = new Date(startedAt).toISOString();
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

describe('POST /apps', () => {
  it('creates an app and shows its keys this once', async () => {
    const { status, body } = await gateway.call('POST', '/apps', { body: { name: 'Demo' } });
    expect(status).toBe(201);
    expect(body).toEqual({
      ok: true,
      data: {
        id: 1,
        name: 'Demo',
        secretKey: expect.stringMatching(/^pw_sk_[\w-]{43}$/),
        publicKey: expect.stringMatching(/^pw_pk_[\w-]{43}$/),
      },
    });
    const { secretKey, publicKey } = body.data;
    expect(gateway.apps.bySecretKey(secretKey)?.app.id).toBe(1);
    const [command] = gateway.catalogService.sent;
    expect(command).toMatchObject({
      type: 'CreateApp',
      appId: 1,
      key: '1',
      body: {
        name: 'Demo',
        actor: 'ops',
        keys: [
          { kind: 'secret', prefix: secretKey.slice(0, 12), sha256: sha256(secretKey) },
          { kind: 'public', prefix: publicKey.slice(0, 12), sha256: sha256(publicKey) },
        ],
      },
    });
    expect(JSON.stringify(command)).not.toContain(secretKey);
    expect(JSON.stringify(await gateway.call('GET', '/apps'))).not.toContain(secretKey.slice(0, 16));
  });

  it('passes over ids that other gateways took', async () => {
    gateway.catalogService.taken.add(1).add(2);
    expect(await gateway.createApp()).toMatchObject({ id: 3 });
    const ids = gateway.catalogService.sent.map(({ id }) => id);
    expect(new Set(ids).size).toBe(3);
  });

  it.each([
    [{}, 'name must be given, and must be a text of 1 to 255 characters.'],
    [{ name: '' }, 'name must be a text of 1 to 255 characters.'],
    [{ name: ' \u00a0' }, 'name must have a character that can be seen.'],
    [{ name: 'x'.repeat(256) }, 'name must be a text of 1 to 255 characters.'],
    [{ name: 'a\0' }, 'name must be valid Unicode without NUL.'],
    [[], 'The body must be a JSON object.'],
    [undefined, 'The body must be a JSON object.'],
  ])('refuses %j', async (body, error) => {
    expect(await gateway.call('POST', '/apps', { body })).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_FAILED', error },
    });
    expect(gateway.catalogService.sent).toEqual([]);
  });

  it('is not acknowledged before this gateway and the read model have it', async () => {
    gateway.readModel.reached = false;
    expect(await gateway.call('POST', '/apps', { body: { name: 'Demo' } })).toMatchObject({
      status: 503,
      headers: { 'retry-after': '1' },
      body: { code: 'SERVICE_UNAVAILABLE' },
    });
  });
});

describe('GET /apps', () => {
  it('lists apps by id, a page at a time', async () => {
    for (let count = 0; count < 3; count++) await gateway.createApp();
    const first = await gateway.call('GET', '/apps?limit=2');
    expect(first.body.data.map(({ id }: { id: number }) => id)).toEqual([1, 2]);
    const second = await gateway.call('GET', `/apps?limit=2&cursor=${first.body.nextCursor}`);
    expect(second.body).toMatchObject({ ok: true, data: [{ id: 3 }], nextCursor: null });
    expect((await gateway.call('GET', '/apps')).body).toMatchObject({ data: [{}, {}, {}], nextCursor: null });
  });

  it.each(['limit=0', 'limit=201', 'limit=1.5', 'limit=x', 'limit=', 'limit=1&limit=2', 'cursor=', 'cursor=nonsense'])(
    'refuses ?%s',
    async (query) => {
      for (const path of ['/apps', '/audit']) {
        expect(await gateway.call('GET', `${path}?${query}`)).toMatchObject({
          status: 400,
          body: { code: 'VALIDATION_FAILED' },
        });
      }
    },
  );

  it('refuses a damaged cursor', async () => {
    for (let count = 0; count < 2; count++) await gateway.createApp();
    const { nextCursor } = (await gateway.call('GET', '/apps?limit=1')).body;
    const refused = { status: 400, body: { code: 'VALIDATION_FAILED' } };
    for (const cursor of [`${nextCursor}!!`, Buffer.from('["apps","NaN"]').toString('base64url')])
      expect(await gateway.call('GET', `/apps?cursor=${cursor}`)).toMatchObject(refused);
  });

  it('shows an app with the beginnings of its keys', async () => {
    const { secretKey, publicKey } = await gateway.createApp();
    expect((await gateway.call('GET', '/apps/1')).body).toEqual({
      ok: true,
      data: {
        id: 1,
        name: 'Demo',
        createdAt: time,
        keys: [
          { id: 1, kind: 'secret', prefix: secretKey.slice(0, 12), createdAt: time, revokedAt: null },
          { id: 2, kind: 'public', prefix: publicKey.slice(0, 12), createdAt: time, revokedAt: null },
        ],
      },
    });
  });

  it.each(['2', '0', '01', '-1', 'x', '1.0', '99999999999', '%00'])('knows no app %s', async (id) => {
    await gateway.createApp();
    expect(await gateway.call('GET', `/apps/${id}`)).toMatchObject({ status: 404, body: { code: 'APP_NOT_FOUND' } });
  });

  it.each([
    ['/apps/Demo', 'APP_NOT_FOUND', 'appId must be an integer.'],
    ['/apps/2', 'APP_NOT_FOUND', 'appId names no app.'],
    ['/apps/1/catalog/revisions/newest', 'REVISION_NOT_FOUND', 'revision must be an integer.'],
    ['/dead-letters/first', 'DEAD_LETTER_NOT_FOUND', 'deadLetterId must be an integer.'],
  ])('says of %s whether the number is none, or names nothing', async (path, code, error) => {
    await gateway.createApp();
    expect(await gateway.call('GET', path)).toMatchObject({ status: 404, body: { code, error } });
  });
});

describe('the keys of an app', () => {
  it('grow by one that works at once beside the old ones', async () => {
    const { secretKey } = await gateway.createApp();
    const { status, body } = await gateway.call('POST', '/apps/1/keys', { body: { kind: 'secret' } });
    expect(status).toBe(201);
    expect(body.data).toEqual({
      id: 3,
      kind: 'secret',
      key: expect.stringMatching(/^pw_sk_/),
      prefix: body.data.key.slice(0, 12),
      createdAt: time,
    });
    expect(gateway.apps.bySecretKey(body.data.key)?.app.id).toBe(1);
    expect(gateway.apps.bySecretKey(secretKey)?.app.id).toBe(1);
    expect(gateway.catalogService.sent.at(-1)?.body).toMatchObject({ actor: 'ops' });
  });

  it('end when they are revoked', async () => {
    const { secretKey } = await gateway.createApp();
    const { status, body } = await gateway.call('DELETE', '/apps/1/keys/1');
    expect([status, body]).toEqual([200, { ok: true, data: { id: 1, revokedAt: time } }]);
    expect(gateway.apps.bySecretKey(secretKey)).toBeUndefined();
  });

  it.each(['9', 'x', '0', '1e0', '9999999999'])('do not include %s', async (keyId) => {
    await gateway.createApp();
    expect(await gateway.call('DELETE', `/apps/1/keys/${keyId}`)).toMatchObject({
      status: 404,
      body: { code: 'KEY_NOT_FOUND' },
    });
  });

  it('are secret or public', async () => {
    await gateway.createApp();
    expect(await gateway.call('POST', '/apps/1/keys', { body: { kind: 'master' } })).toMatchObject({
      status: 400,
      body: { error: 'kind must be one of secret, public.' },
    });
    expect(await gateway.call('POST', '/apps/2/keys', { body: { kind: 'public' } })).toMatchObject({ status: 404 });
  });
});
