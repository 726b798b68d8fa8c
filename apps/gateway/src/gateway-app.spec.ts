import { afterEach, expect, it } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { SaveProfile } from '@paywright/contracts';
import { secretKey, startTestGateway, type TestGateway } from './testing/test-gateway.ts';

let gateway: TestGateway;
afterEach(() => gateway.app.close());

const body = JSON.stringify({ country: 'DE', device: 'd', os: 'o', platform: 'ios', appVersion: '1' });
const headers = { authorization: secretKey, 'content-type': 'application/json' };

it('answers what is in flight when it is closed, and takes nothing new', async () => {
  gateway = await startTestGateway();
  await gateway.app.listen({ port: 0, host: '127.0.0.1' });
  const url = `${await gateway.app.getUrl()}/v2/profiles`;
  const arrived = Promise.withResolvers<void>();
  const mayFinish = Promise.withResolvers<void>();
  gateway.backend.on(SaveProfile, async () => {
    arrived.resolve();
    await mayFinish.promise;
    return { refusal: { code: 'TOO_MANY_ATTRIBUTES', message: 'answered' } };
  });

  const answer = fetch(url, { method: 'POST', headers, body });
  await arrived.promise;
  const closed = gateway.app.close();
  while (gateway.app.getHttpServer().listening) await delay(1);
  await expect(fetch(url, { method: 'POST', headers, body })).rejects.toThrow();
  mayFinish.resolve();

  expect(await (await answer).json()).toEqual({ error: 'answered', code: 'TOO_MANY_ATTRIBUTES' });
  await closed;
});

it('counts requests by route, method and status, with those that are pending', async () => {
  gateway = await startTestGateway();
  await gateway.request('POST', '/v2/profiles', JSON.parse(body));
  await gateway.inject({ method: 'POST', url: '/a@b.example/nowhere' });
  const text = await gateway.parts.metrics.text();
  expect(text).toContain('gateway_request_seconds_count{route="/v2/profiles",method="POST",status="201"} 1');
  expect(text).toContain('gateway_request_seconds_count{route="none",method="POST",status="404"} 1');
  expect(text).toContain('gateway_requests_pending 0');
  expect(text).toContain('gateway_read_your_writes_seconds_count{reached="true"} 1');
  expect(text).not.toContain('b.example');
});
