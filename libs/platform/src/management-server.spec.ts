import { totalmem } from 'node:os';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { readyFromThen, startManagementServer, type ManagementServer } from './management-server.ts';
import { Metrics } from './metrics.ts';

let health: boolean | string = true;
let metrics: Metrics;
let server: ManagementServer;

beforeEach(async () => {
  health = true;
  metrics = new Metrics({ service: 'profile' });
  const failing = () => {
    if (health === 'throw') throw new Error('check');
    return health;
  };
  const checks = [{ name: 'kafka', ready: failing }];
  server = await startManagementServer({ host: '127.0.0.1', port: 0, checks, metrics });
});
afterEach(() => server.close());

const get = (path: string, init?: RequestInit) => fetch(server.url + path, init);

describe('the management server', () => {
  it('is ready when every check is', async () => {
    const response = await get('/health/ready');
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ status: 'ready', checks: { kafka: true } });
    expect(await (await get('/metrics')).text()).toContain('process_ready{service="profile"} 1');
  });

  it('tells how much memory the process may have: the machine’s, or what its container is allowed', async () => {
    const metrics = await (await get('/metrics')).text();
    const [, bytes] = /^process_memory_limit_bytes{service="profile"} (\d+)$/m.exec(metrics) ?? [];
    expect(Number(bytes)).toBeGreaterThan(process.memoryUsage.rss());
    expect(Number(bytes)).toBeLessThanOrEqual(totalmem());
  });

  it.each([
    ['no broker', 'no broker'],
    [false, false],
    ['throw', 'the check itself failed'],
  ])('is live but not ready when a check says %j', async (state, reason) => {
    health = state;
    const response = await get('/health/ready');
    expect(response.status).toBe(503);
    expect(await response.json()).toEqual({ status: 'not ready', checks: { kafka: reason } });
    expect((await get('/health/live')).status).toBe(200);
    expect(await (await get('/metrics')).text()).toContain('process_ready{service="profile"} 0');
  });

  it('is ready from then on once what it can do without was there', () => {
    const check = readyFromThen({ name: 'kafka', ready: () => health });
    const seen = ['not read yet', true, 'no broker'].map((state) => ((health = state), check.ready()));
    expect([check.name, ...seen]).toEqual(['kafka', 'not read yet', true, true]);
  });

  it('shows the metrics, with the event loop’s delay', async () => {
    metrics.counter('batches_total', 'Batches', ['topic']).inc({ topic: 'profile.commands' });
    metrics.counter('batches_total', 'Batches', ['topic']).inc({ topic: 'profile.commands' });
    metrics.gauge('queue_depth', 'Depth', [], () => 7);
    metrics.histogram('append_seconds', 'Append').observe(0.003);
    const text = await (await get('/metrics')).text();
    expect(text).toContain('batches_total{topic="profile.commands",service="profile"} 2');
    expect(text).toContain('queue_depth{service="profile"} 7');
    expect(text).toContain('append_seconds_bucket{le="0.005",service="profile"} 1');
    expect(text).toContain('nodejs_eventloop_lag_p99_seconds');
  });

  it('answers nothing else', async () => {
    expect((await get('/')).status).toBe(404);
    const post = await get('/metrics', { method: 'POST' });
    expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    expect(await (await get('/health/live', { method: 'HEAD' })).text()).toBe('');
  });

  it('says so when its port is taken', async () => {
    const port = Number(new URL(server.url).port);
    await expect(startManagementServer({ host: '127.0.0.1', port, checks: [], metrics })).rejects.toThrow('EADDRINUSE');
  });
});
