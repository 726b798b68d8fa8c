import { gzipSync } from 'node:zlib';
import { connect } from 'node:net';
import { Agent, request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  otherSecretKey,
  publicKey,
  revokedKey,
  secretKey,
  startTestGateway,
  type TestGateway,
} from '../testing/test-gateway.ts';
import { restRoutes } from '../testing/rest-routes.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.app.close());

const json = { authorization: secretKey, 'content-type': 'application/json' };
const segmentTooLong = `/admin/v1/apps/${'9'.repeat(200)}`;
const tooLarge = JSON.stringify('x'.repeat(1024 * 1024));

it.each(['/v2/%70rofiles', '/%76%32/profiles'])('knows the methods of a path that is spelt %s', async (spelt) => {
  const response = await gateway.inject({ method: 'GET', url: spelt });
  expect([response.statusCode, response.headers.allow]).toEqual([405, 'POST']);
  expect((await gateway.inject({ method: 'GET', url: `${spelt}%` })).statusCode).toBe(404);
});

it('is logged with its code at DEBUG, by which one refusal is told from another of its status', async () => {
  const lineOf = async (payload: string) => {
    const { headers } = await gateway.inject({ method: 'POST', url: '/v2/profiles', headers: json, payload });
    const lines = gateway.lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    return lines.find(({ requestId }) => requestId === headers['x-request-id']);
  };
  expect(await lineOf('{')).toMatchObject({ status: '400', code: 'MALFORMED_JSON', message: 'Answered' });
  expect(await lineOf('[]')).toMatchObject({ status: '400', code: 'VALIDATION_FAILED' });
});

it.each([
  [undefined, /^Authorization must be given: the secret key of an app/],
  ['', /^Authorization must be given: /],
  [[secretKey, secretKey], /^Authorization must be given once\.$/],
  [`Bearer ${secretKey}`, /without Bearer/],
  ['pw_pk_A', /begins with pw_sk_: a public key opens nothing here\.$/],
  ['admin-token', /begins with pw_sk_: an admin token opens the admin API alone\.$/],
  ['pw_sk_A', /^Authorization has no valid secret key: .* revoked/],
])('says what is wrong with the key %j, by its form alone', async (authorization, error) => {
  const headers: Record<string, string | string[]> = authorization === undefined ? {} : { authorization };
  const response = await gateway.inject({ method: 'POST', url: '/v2/profiles', headers });
  expect([response.statusCode, response.json().error]).toEqual([401, expect.stringMatching(error)]);
});

describe.each(restRoutes)('%s %s', (method, url) => {
  it.each(['GET', 'HEAD', 'DELETE', 'PATCH', 'OPTIONS'] as const)('does not take %s: 405 with Allow', async (other) => {
    const response = await gateway.inject({ method: other, url });
    expect(response.statusCode).toBe(405);
    expect(response.headers.allow?.split(', ')).toContain(method);
    if (other !== 'HEAD') expect(response.json()).toMatchObject({ code: 'METHOD_NOT_ALLOWED' });
  });

  it.each([
    ['no key', undefined],
    ['an empty key', ''],
    ['an unknown key', 'secret_live_nobody'],
    ['a revoked key', revokedKey],
    ['a public key', publicKey],
    ['a key with a scheme', `Bearer ${secretKey}`],
    ['a key with another case', secretKey.toUpperCase()],
  ])('refuses %s, before it looks at type or body', async (_, authorization) => {
    const headers = { 'content-type': 'text/plain', ...(authorization !== undefined && { authorization }) };
    const response = await gateway.inject({ method, url, headers, payload: tooLarge });
    expect([response.statusCode, response.json().code]).toEqual([401, 'INVALID_API_KEY']);
  });

  it('refuses two keys, whichever comes first', async () => {
    for (const authorization of [
      [secretKey, otherSecretKey],
      [secretKey, secretKey],
      ['', secretKey],
    ]) {
      const headers: Record<string, string | string[]> = { ...json, authorization };
      const response = await gateway.inject({ method, url, headers, payload: tooLarge });
      expect([response.statusCode, response.json().code]).toEqual([401, 'INVALID_API_KEY']);
    }
  });

  it.each(['text/plain', 'application/jsonp', 'application/x-www-form-urlencoded', 'multipart/form-data', ''])(
    'does not take the type "%s": 415, before it looks at the body',
    async (type) => {
      const response = await gateway.inject({
        method,
        url,
        headers: { ...json, 'content-type': type },
        payload: tooLarge,
      });
      expect([response.statusCode, response.json().code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
    },
  );

  it('does not take a body without a type: 415', async () => {
    const payload = Buffer.from('{}');
    const response = await gateway.inject({ method, url, headers: { authorization: secretKey }, payload });
    expect([response.statusCode, response.json().code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
  });

  it.each(['gzip', 'br', 'identity, gzip'])('does not take a body encoded as %s: 415', async (encoding) => {
    const headers = { ...json, 'content-encoding': encoding };
    const response = await gateway.inject({ method, url, headers, payload: gzipSync('{}') });
    expect([response.statusCode, response.json()]).toEqual([
      415,
      { error: 'Content-Encoding must be identity: the body is not to be compressed.', code: 'UNSUPPORTED_MEDIA_TYPE' },
    ]);
  });

  it('does not take more than 1 MiB: 413, before it parses, with how much it takes', async () => {
    const response = await gateway.inject({ method, url, headers: json, payload: `{${tooLarge}` });
    const error = 'The body may have 1048576 bytes here, and has more.';
    expect([response.statusCode, response.json()]).toEqual([413, { error, code: 'PAYLOAD_TOO_LARGE' }]);
  });

  it.each(['', '{', '{"a":1,}', 'nul', '\ufeff{}', '{}{}'])(
    'does not take the text %j as JSON: 400',
    async (payload) => {
      const response = await gateway.inject({ method, url, headers: json, payload });
      expect([response.statusCode, response.json().code]).toEqual([400, 'MALFORMED_JSON']);
    },
  );

  it('does not take bytes that are not UTF-8: 400', async () => {
    const payload = Buffer.from([0x22, 0xff, 0x22]);
    const response = await gateway.inject({ method, url, headers: json, payload });
    expect([response.statusCode, response.json().code]).toEqual([400, 'MALFORMED_JSON']);
  });

  it.each(['null', '1', '"text"', 'true', '{}', '[]', '[1]', '[[]]'])(
    'does not take the JSON %s: 400',
    async (payload) => {
      const response = await gateway.inject({ method, url, headers: json, payload });
      expect([response.statusCode, response.json().code]).toEqual([400, 'VALIDATION_FAILED']);
    },
  );

  it.each(['application/json', 'application/json; charset=utf-8', 'APPLICATION/JSON;x=y'])(
    'takes the type %s',
    async (type) => {
      const response = await gateway.inject({ method, url, headers: { ...json, 'content-type': type }, payload: '7' });
      expect(response.json().code).toBe('VALIDATION_FAILED');
    },
  );
});

it.each([
  '/',
  '/v2',
  '/v2/',
  '/V2/profiles',
  '/v2/events',
  '/api/v1/web-api/paywall',
  '/api/v1/web-api/purchases/app-store/validate',
  '/api/v1/web-api/purchases/stripe/validate',
  '/%zz',
  `/v2/${'a'.repeat(5_000)}`,
  segmentTooLong,
])('knows no route %s: 404, whoever asks', async (url) => {
  const response = await gateway.inject({ method: 'POST', url, headers: { 'content-type': 'x' }, payload: tooLarge });
  expect([response.statusCode, response.json()]).toEqual([
    404,
    { error: 'No route has this path: /docs lists those that there are.', code: 'ROUTE_NOT_FOUND' },
  ]);
});

it.each(['/v2/profiles/', '/v2//profiles', '//v2/profiles/?a=b'])('says what is wrong with %s', async (url) => {
  const response = await gateway.inject({ method: 'POST', url });
  expect([response.statusCode, response.json()]).toEqual([
    404,
    { error: 'No route has this path, which has a slash too many.', code: 'ROUTE_NOT_FOUND' },
  ]);
});

it('lists every method of a path in Allow', async () => {
  const response = await gateway.inject({ method: 'GET', url: '/api/v1/web-api/profiles/custom-attributes?a=b' });
  expect(response.headers.allow).toBe('POST, PUT');
});

it('gives every answer an id and the headers of safety', async () => {
  for (const url of ['/nowhere', '/v2/profiles', '/%zz', segmentTooLong]) {
    const { headers } = await gateway.inject({ method: 'POST', url });
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' });
    expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  }
});

it.each(['/%zz', segmentTooLong])('counts and logs %s as any other path that is no route', async (url) => {
  gateway.reset();
  const counted = async () =>
    Number(
      /^gateway_request_seconds_count\{route="none",method="PUT",status="404"\} (\d+)$/m.exec(
        await gateway.parts.metrics.text(),
      )?.[1] ?? 0,
    );
  const before = await counted();
  const { headers } = await gateway.inject({ method: 'PUT', url });
  expect(await counted()).toBe(before + 1);
  expect(gateway.lines.join('')).toContain(`"requestId":"${String(headers['x-request-id'])}","route":"none"`);
});

describe('over a socket', () => {
  let port: number;
  beforeAll(async () => {
    await gateway.app.listen({ port: 0, host: '127.0.0.1' });
    port = Number(new URL(await gateway.app.getUrl()).port);
  });

  it('answers 413 also to a client that is still writing, and does not close its connection', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const post = (body: Buffer) =>
      new Promise<{ status: number; connection: string | undefined }>((resolve, reject) => {
        const sent = httpRequest({ port, method: 'POST', path: '/v2/profiles', agent, headers: json }, (answer) => {
          const { statusCode: status = 0, headers } = answer;
          answer.resume().on('end', () => resolve({ status, connection: headers.connection }));
        });
        sent.setHeader('content-length', body.length).on('error', reject);
        sent.end(body);
      });
    expect(await post(Buffer.alloc(20 * 1_048_576, ' '))).toEqual({ status: 413, connection: 'keep-alive' });
    agent.destroy();
  });

  it('does not take more than 1 MiB in chunks, without a length: 413', async () => {
    const answer = await new Promise<number | undefined>((resolve, reject) => {
      const sent = httpRequest({ port, method: 'POST', path: '/v2/profiles', headers: json }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      sent.on('error', reject);
      for (let i = 0; i < 20; i += 1) sent.write('x'.repeat(64 * 1024));
      sent.end();
    });
    expect(answer).toBe(413);
  });

  const answerTo = (request: string) =>
    new Promise<string>((resolve) => {
      let received = '';
      const socket = connect(port, '127.0.0.1', () => socket.write(request));
      socket.on('data', (chunk) => (received += String(chunk)));
      socket.on('close', () => resolve(received));
    });

  it('answers a request without Host with the envelope', async () => {
    const text = await answerTo('GET /v2/profiles HTTP/1.1\r\nconnection: close\r\n\r\n');
    expect(text).toMatch(/^HTTP\/1\.1 400 Bad Request/);
    expect(text).toContain('{"error":"Host must be given.","code":"VALIDATION_FAILED"}');
  });

  it('does not choose between two keys: 401', async () => {
    const keys = [secretKey, otherSecretKey].map((key) => `Authorization: ${key}\r\n`).join('');
    const text = await answerTo(`POST /v2/profiles HTTP/1.1\r\nhost: a\r\n${keys}connection: close\r\n\r\n`);
    expect(text).toMatch(/^HTTP\/1\.1 401 Unauthorized/);
    expect(text).toContain('"code":"INVALID_API_KEY"');
  });

  it('does what it does whatever else is expected of it', async () => {
    const text = await answerTo('GET /v2/profiles HTTP/1.1\r\nhost: a\r\nexpect: more\r\nconnection: close\r\n\r\n');
    expect(text).toMatch(/^HTTP\/1\.1 405 Method Not Allowed/);
    expect(text).toContain('"code":"METHOD_NOT_ALLOWED"');
  });

  it('answers what is not HTTP with the envelope', async () => {
    const text = await answerTo('GARBAGE\r\n\r\n');
    expect(text).toMatch(/^HTTP\/1\.1 400 Bad Request/);
    expect(text).toContain('"code":"VALIDATION_FAILED"');
    expect(text).toContain('\r\nx-content-type-options: nosniff\r\n');
  });
});
