import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { adminGateway, adminToken, viewerToken, type AdminGateway } from '../testing/admin-gateway.ts';

let gateway: AdminGateway;
beforeAll(async () => (gateway = await adminGateway()));
afterAll(() => gateway.close());

describe('access to the admin API', () => {
  it.each([
    ['no token', {}, /^Authorization must be given: "Bearer" and an admin token\.$/],
    ['an empty one', { authorization: '' }, /^Authorization must be given: /],
    ['a raw token', { authorization: adminToken }, /must be "Bearer", a space and an admin token/],
    ['another scheme', { authorization: `Basic ${adminToken}` }, /must be "Bearer", a space/],
    ['a scheme alone', { authorization: 'Bearer ' }, /must be "Bearer", a space/],
    ['an unknown token', { authorization: 'Bearer admin-token-2' }, /this one is not among the ADMIN_TOKENS/],
    ['the beginning of a token', { authorization: 'Bearer admin-token' }, /not among the ADMIN_TOKENS/],
    ['two tokens', { authorization: `Bearer ${adminToken} ${adminToken}` }, /must be "Bearer", a space/],
    ['two headers', { authorization: [`Bearer ${adminToken}`, `Bearer ${viewerToken}`] }, /must be given once\.$/],
    ['a raw key', { authorization: 'pw_sk_A' }, /"Bearer" and an admin token: the key of an app opens nothing here/],
    ['a public key', { authorization: 'Bearer pw_pk_A' }, /the key of an app opens nothing here/],
  ])('is refused to %s, which is told what to mend', async (_, headers, error) => {
    const { status, body } = await gateway.call('GET', '/apps', { token: null, headers });
    expect([status, body]).toEqual([401, { error: expect.stringMatching(error), code: 'INVALID_ADMIN_TOKEN' }]);
  });

  it('is refused to the secret key of an app', async () => {
    const { secretKey } = await gateway.createApp();
    expect(await gateway.call('GET', '/apps', { token: secretKey })).toMatchObject({ status: 401 });
  });

  it.each([`Bearer ${adminToken}`, `bearer ${adminToken}`, `BEARER  ${adminToken}`])(
    'is given to %s',
    async (authorization) => {
      expect(await gateway.call('GET', '/apps', { token: null, headers: { authorization } })).toMatchObject({
        status: 200,
      });
    },
  );

  it('lets a viewer read, and nothing else', async () => {
    const viewer = { token: viewerToken };
    expect((await gateway.call('GET', '/apps', viewer)).status).toBe(200);
    for (const [method, path] of [
      ['POST', '/apps'],
      ['PUT', '/apps/1/catalog'],
      ['DELETE', '/apps/1/keys/1'],
      ['POST', '/apps/1/decisions/x/replay'],
    ] as const)
      expect(await gateway.call(method, path, { ...viewer, body: {} })).toMatchObject({
        status: 403,
        body: { code: 'FORBIDDEN', error: 'The token "eye" may read, but not write.' },
      });
  });

  it('refuses in the order of the API: route, method, token, role, content type, size, body', async () => {
    const text = { 'content-type': 'text/plain' };
    const none = { token: null, headers: text, payload: 'x'.repeat(2 * 1024 * 1024) };
    const status = async (...[method, path, options]: Parameters<AdminGateway['call']>) =>
      (await gateway.call(method, path, options)).body.code;
    expect(await status('POST', '/nothing', none)).toBe('ROUTE_NOT_FOUND');
    expect(await status('PATCH', '/apps', none)).toBe('METHOD_NOT_ALLOWED');
    expect(await status('POST', '/apps', none)).toBe('INVALID_ADMIN_TOKEN');
    expect(await status('POST', '/apps', { ...none, token: viewerToken })).toBe('FORBIDDEN');
    expect(await status('POST', '/apps', { ...none, token: adminToken })).toBe('UNSUPPORTED_MEDIA_TYPE');
    expect(await status('POST', '/apps', { payload: none.payload })).toBe('PAYLOAD_TOO_LARGE');
    expect(await status('POST', '/apps', { payload: '{' })).toBe('MALFORMED_JSON');
    expect(await status('POST', '/apps', { body: {} })).toBe('VALIDATION_FAILED');
  });
});
