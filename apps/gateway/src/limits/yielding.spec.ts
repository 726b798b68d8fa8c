import { afterAll, describe, expect, it } from '@jest/globals';
import { Metrics } from '@paywright/platform';
import { type FastifyInstance, fastify } from 'fastify';
import type { Priority } from './load-limit.ts';
import { shedding } from './load-shedding.ts';
import { installYielding } from './yielding.ts';

const notifications = 20;
/** Of the event loop, as a signature that is verified. */
const occupy = (ms: number) => {
  for (const end = performance.now() + ms; performance.now() < end;);
};

/** A server whose notifications begin together, at the one moment that the pace gives all of them. */
async function serverWithPace(handlers: Readonly<Record<'notification' | 'paywall', () => void>>) {
  const http: FastifyInstance = fastify();
  const metrics = new Metrics();
  const together = performance.now() + 100;
  const pace = { rate: 50, beginTogether: true, waitMs: () => together - performance.now() };
  installYielding(http, { pace, metrics, shed: shedding(metrics) });
  const route = (priority: Priority, handler: () => void) =>
    http.post(`/${priority}`, { config: { priority } }, async () => handler());
  route('notification', handlers.notification);
  route('paywall', handlers.paywall);
  await http.listen({ port: 0, host: '127.0.0.1' });
  return http;
}

describe('notifications that begin together', () => {
  const servers: FastifyInstance[] = [];
  afterAll(() => Promise.all(servers.map((http) => http.close())));

  it('let a paywall through that is asked for while they do', async () => {
    const order: string[] = [];
    const asked = Promise.withResolvers<Response>();
    const http = await serverWithPace({
      notification: () => {
        if (order.length === 0) asked.resolve(fetch(`${http.listeningOrigin}/paywall`, { method: 'POST' }));
        order.push('notification');
        occupy(5);
      },
      paywall: () => void order.push('paywall'),
    });
    servers.push(http);
    await Promise.all(
      Array.from({ length: notifications }, () => http.inject({ method: 'POST', url: '/notification' })),
    );
    await asked.promise;
    expect(order).toHaveLength(notifications + 1);
    expect(order.indexOf('paywall')).toBeLessThan(notifications);
  });
});
