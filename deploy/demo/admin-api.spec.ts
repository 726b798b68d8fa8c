import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { loopback } from '../local/free-ports.ts';
import { z } from 'zod';
import { adminApi, UnexpectedAnswer } from './admin-api.ts';

describe('a call of the admin API', () => {
  const App = z.object({ id: z.int() });
  let answers: [status: number, body: unknown, headers?: Record<string, string>][];
  let requests: string[];
  let server: Server;
  beforeEach(async () => {
    requests = [];
    server = createServer((request, response) => {
      requests.push(`${request.method} ${request.url}`);
      const [status, body, headers] = answers.shift() ?? [500, null];
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
    });
    await new Promise<void>((resolve) => server.listen(0, loopback, resolve));
  });
  afterEach(() => new Promise((resolve) => server.close(resolve)));

  const create = () =>
    adminApi(`http://${loopback}:${(server.address() as AddressInfo).port}`, 'token')('POST', '/apps', App, {});

  it('is sent again while the product cannot answer in time', async () => {
    const busy = { error: 'The service could not answer in time.', code: 'SERVICE_UNAVAILABLE' };
    answers = [[503, busy, { 'retry-after': '1' }], [201, { ok: true, data: { id: 7 } }]]; // prettier-ignore
    expect(await create()).toEqual({ id: 7 });
    expect(requests).toEqual(Array(2).fill('POST /admin/v1/apps'));
  });

  it('is refused in the words of the product', async () => {
    answers = [[404, { error: 'appId names no app.', code: 'APP_NOT_FOUND' }], [404, 'Gone']]; // prettier-ignore
    await expect(create()).rejects.toThrow(/^POST \/admin\/v1\/apps answered 404: appId names no app\.$/);
    await expect(create()).rejects.toThrow(/^POST \/admin\/v1\/apps answered 404: "Gone"$/);
  });

  it.each<[number, { error: string; code: string }]>([
    [403, { error: 'The token may only read.', code: 'FORBIDDEN' }],
    [503, { error: 'The report takes too long: ask for a shorter period.', code: 'SERVICE_UNAVAILABLE' }],
  ])('is not sent again where the answer would be the same: %i', async (status, body) => {
    answers = [[status, body]];
    await expect(create()).rejects.toThrow(UnexpectedAnswer);
    expect(requests).toHaveLength(1);
  });
});
