import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { SaveProfile } from '@paywright/contracts';
import { loadConfig } from '@paywright/platform';
import { gatewayConfig } from '../config.ts';
import { secretKey, startTestGateway, type TestGateway } from '../testing/test-gateway.ts';

const config = loadConfig(gatewayConfig, {
  DATABASE_URL: 'postgres://nowhere',
  KAFKA_BROKERS: 'nowhere:9092',
  MASTER_KEY: 'm'.repeat(32),
  MAX_CONNECTIONS: '20',
  MAX_IN_FLIGHT: '64',
  HEADERS_TIMEOUT_MS: '200',
  REQUEST_TIMEOUT_MS: '400',
  KEEP_ALIVE_TIMEOUT_MS: '30000',
});
const body = JSON.stringify({ country: 'DE', device: 'd', os: 'o', platform: 'ios', appVersion: '1' });
const head = (length: number | string, key = secretKey) =>
  `POST /v2/profiles HTTP/1.1\r\nhost: x\r\nauthorization: ${key}\r\ncontent-type: application/json\r\n${
    typeof length === 'number' ? `content-length: ${length}` : 'transfer-encoding: chunked'
  }\r\n\r\n`;
const whole = head(Buffer.byteLength(body)) + body;

let gateway: TestGateway;
let port: number;
const sockets: Socket[] = [];
beforeAll(async () => {
  gateway = await startTestGateway({ config });
  await gateway.app.listen({ port: 0, host: '127.0.0.1' });
  port = Number(new URL(await gateway.app.getUrl()).port);
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  gateway.reset();
  while ((await metric('gateway_connections')) > 0) await delay(5);
});
afterAll(() => gateway.app.close());

/** A connection that keeps what it is told. */
async function open() {
  const socket = connect(port, '127.0.0.1');
  sockets.push(socket);
  const seen = { text: '', closed: false };
  socket.on('data', (chunk) => (seen.text += String(chunk)));
  socket.on('error', () => undefined);
  socket.on('close', () => (seen.closed = true));
  await new Promise((resolve) => socket.once('connect', resolve).once('close', resolve));
  const until = async (reached: () => boolean, withinMs = 5_000) => {
    for (let waited = 0; !reached() && waited < withinMs; waited += 5) await delay(5);
    return reached();
  };
  return {
    socket,
    seen,
    statuses: () => [...seen.text.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => Number(status)),
    told: (text: string) => until(() => seen.text.includes(text)),
    closed: () => until(() => seen.closed),
  };
}
async function metric(name: string): Promise<number> {
  const text = await gateway.parts.metrics.text();
  return Number(new RegExp(`^${name}(?:\\{.*\\})? (\\S+)$`, 'm').exec(text)?.[1] ?? 0);
}

describe('slow clients', () => {
  it('ends one that sends its body byte by byte', async () => {
    const client = await open();
    client.socket.write(head(1_000));
    const dripping = setInterval(() => client.socket.writable && client.socket.write(' '), 20);
    expect(await client.closed()).toBe(true);
    clearInterval(dripping);
    expect(client.statuses()).toEqual([408]);
    expect(client.seen.text).toContain('"code":"VALIDATION_FAILED"');
  });

  it.each(['', 'POST /v2/profiles HTTP/1.1\r\nhost: x\r\n'])('ends one that has sent %j alone', async (beginning) => {
    const client = await open();
    client.socket.write(beginning);
    expect(await client.closed()).toBe(true);
  });

  it('gives them no place that another needs', async () => {
    const slow = await Promise.all(Array.from({ length: 19 }, open));
    for (const { socket } of slow)
      for (let each = 0; each < 10; each += 1) socket.write(head(10) + (each < 9 ? '0123456789' : '0'));
    const client = await open();
    client.socket.write(whole);
    expect(await client.told('HTTP/1.1 201')).toBe(true);
  });

  it('forgets the requests of clients that give up, before and during the work', async () => {
    const mayFinish = Promise.withResolvers<void>();
    const arrived = Promise.withResolvers<void>();
    gateway.backend.on(SaveProfile, async () => {
      arrived.resolve();
      await mayFinish.promise;
      return { refusal: { code: 'TOO_MANY_ATTRIBUTES', message: 'answered' } };
    });
    const [sending, waiting] = [await open(), await open()];
    sending.socket.write(head(1_000));
    waiting.socket.write(whole);
    await arrived.promise;
    expect(await metric('gateway_requests_at_work')).toBe(1);
    for (const { socket } of [sending, waiting]) socket.destroy();
    await delay(50);
    expect(await metric('gateway_requests_at_work')).toBe(1);
    mayFinish.resolve();
    for (let waited = 0; (await metric('gateway_requests_at_work')) > 0 && waited < 2_000; waited += 5) await delay(5);
    expect([await metric('gateway_requests_at_work'), await metric('gateway_requests_pending')]).toEqual([0, 0]);
  });
});

describe('large requests', () => {
  it('refuses a head of more than 16 KiB', async () => {
    const client = await open();
    client.socket.write(`GET / HTTP/1.1\r\nhost: x\r\nx: ${'y'.repeat(17_000)}\r\n\r\n`);
    expect(await client.closed()).toBe(true);
    expect(client.statuses()).toEqual([431]);
  });

  it('refuses a flood of small headers', async () => {
    const client = await open();
    client.socket.write(`GET / HTTP/1.1\r\nhost: x\r\n${'a: b\r\n'.repeat(5_000)}\r\n`);
    expect(await client.closed()).toBe(true);
    expect(client.statuses()).toEqual([431]);
  });

  it.each(['chunked', 10 ** 12])('does not read on behind a refusal: a body of length %s', async (length) => {
    const client = await open();
    client.socket.write(head(length, 'wrong'));
    const flood = setInterval(() => client.socket.writable && client.socket.write(`8\r\n01234567\r\n`), 5);
    expect(await client.closed()).toBe(true);
    clearInterval(flood);
    expect(client.statuses()).toEqual([401]);
  });

  it('refuses large bodies while as many are read as memory is meant for, and takes small ones', async () => {
    const notify = 'POST /notifications/1/app-store HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n';
    const clients = await Promise.all(Array.from({ length: 14 }, open));
    for (const { socket } of clients) socket.write(`${notify}content-length: 5242880\r\n\r\n{`);
    const refused = () => clients.filter(({ statuses }) => statuses()[0] === 503);
    for (let waited = 0; refused().length < 2 && waited < 300; waited += 5) await delay(5);
    expect(refused()).toHaveLength(2);
    const other = await open();
    other.socket.write(`${notify}content-length: 2\r\n\r\n{}${whole}`);
    expect(await other.told('HTTP/1.1 201')).toBe(true);
    expect(other.statuses()[0]).not.toBe(503);
    for (const client of clients) client.socket.destroy();
    const later = await open();
    await delay(20);
    later.socket.write(`${notify}content-length: 1000000\r\n\r\n${' '.repeat(1_000_000)}`);
    expect(await later.told('HTTP/1.1 4')).toBe(true);
  });
});

describe('pipelines', () => {
  it('answers requests in the order in which they came', async () => {
    const client = await open();
    client.socket.write(whole + 'GET /nowhere HTTP/1.1\r\nhost: x\r\n\r\n' + whole);
    for (let waited = 0; client.statuses().length < 3 && waited < 2_000; waited += 5) await delay(5);
    expect(client.statuses()).toEqual([201, 404, 201]);
  });

  it('works on no more of one connection than it may at all', async () => {
    const mayFinish = Promise.withResolvers<void>();
    gateway.backend.on(SaveProfile, async () => {
      await mayFinish.promise;
      return { refusal: { code: 'TOO_MANY_ATTRIBUTES', message: 'answered' } };
    });
    const client = await open();
    client.socket.write(whole.repeat(200));
    const mayWork = 58; // nine tenths of 64, rounded up: the rest is kept for paywalls
    for (let waited = 0; (await metric('gateway_requests_at_work')) < mayWork && waited < 2_000; waited += 5)
      await delay(5);
    await delay(50);
    expect(await metric('gateway_requests_at_work')).toBe(mayWork);
    mayFinish.resolve();
    for (let waited = 0; client.statuses().length < 200 && waited < 2_000; waited += 5) await delay(5);
    expect(client.statuses().filter((status) => status === 422)).toHaveLength(mayWork);
    expect(client.statuses().filter((status) => status === 503)).toHaveLength(200 - mayWork);
  });
});

describe('connections', () => {
  it('closes idle ones to make room, and tells the others that there is none', async () => {
    const idle = await open();
    idle.socket.write(whole);
    await idle.told('HTTP/1.1 201');
    const busy = await Promise.all(Array.from({ length: 19 }, open));
    for (const { socket } of busy) socket.write(head(1_000));
    const room = await open();
    expect(await idle.closed()).toBe(true);
    room.socket.write(whole);
    expect(await room.told('HTTP/1.1 201')).toBe(true);

    const surplus = await open();
    surplus.socket.write(whole);
    expect(await surplus.closed()).toBe(true);
    expect(surplus.statuses()).toEqual([503]);
    expect(surplus.seen.text).toMatch(/retry-after: 1\r\n/i);
    expect(surplus.seen.text).toContain('"code":"SERVICE_UNAVAILABLE"');
  });

  it('closes those far beyond the limit', async () => {
    const flood = await Promise.all(Array.from({ length: 300 }, open));
    for (let waited = 0; flood.filter(({ seen }) => seen.closed).length < 24 && waited < 150; waited += 5)
      await delay(5);
    expect(await metric('gateway_connections')).toBeLessThanOrEqual(276);
    expect(await metric('gateway_connections_dropped_total')).toBeGreaterThanOrEqual(24);
  });
});
