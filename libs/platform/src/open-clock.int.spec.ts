import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from '@jest/globals';
import { ConfigurationError } from './config.ts';
import { startManagementServer } from './management-server.ts';
import { Metrics } from './metrics.ts';
import { openClock } from './open-clock.ts';

const year = 365 * 86_400_000;
const NODE_ENV = 'test';
const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** What a process needs of a simulator: it is asked for the time, and keeps who asked. */
async function timekeeper(offset: number, port = 0) {
  const followers: unknown[] = [];
  const server: Server = createServer((request, response) => {
    void json(request).then((body) => {
      followers.push(body);
      response.end(JSON.stringify({ offset: keeper.offset }));
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  const { port: taken } = server.address() as AddressInfo;
  const keeper = { url: `http://127.0.0.1:${taken}`, port: taken, followers, offset, close };
  ends.push(close);
  return keeper;
}

async function followerOf(SIMULATION_URL: string) {
  const opened = openClock({ NODE_ENV, SIMULATION_URL });
  const metrics = new Metrics({ service: 'test' });
  const server = await startManagementServer({ host: '127.0.0.1', port: 0, checks: [], metrics, clock: opened });
  ends.push(
    () => server.close(),
    () => opened.stop(),
  );
  const push = (offset: unknown) =>
    fetch(`${server.url}/simulation/clock`, { method: 'POST', body: JSON.stringify({ offset }) });
  // To the second: a millisecond may pass between two looks.
  const ahead = () => Math.round((opened.clock.now() - opened.clock.machineNow()) / 1_000) * 1_000;
  return { opened, server, push, ahead };
}

async function until(isSo: () => boolean): Promise<void> {
  const end = performance.now() + 20_000;
  while (!isSo() && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, 20));
  expect(isSo()).toBe(true);
}

describe('a clock that is simulated', () => {
  it('is asked for at the start, and pushed from then on, never backwards', async () => {
    const keeper = await timekeeper(year);
    const { opened, server, push, ahead } = await followerOf(keeper.url);
    await opened.start();
    expect(ahead()).toBe(year);
    expect(keeper.followers[0]).toEqual({ management: server.url, offset: 0 });
    const answer = await push(2 * year);
    expect([answer.status, await answer.json(), ahead()]).toEqual([200, { offset: 2 * year }, 2 * year]);
    const before = opened.clock.now();
    expect(await (await push(0)).json()).toEqual({ offset: 2 * year });
    expect(opened.clock.now()).toBeGreaterThanOrEqual(before);
    expect([(await push('soon')).status, (await push(-1)).status]).toEqual([400, 400]);
  });

  it('waits for a simulator that is not there yet, and finds one that was started again', async () => {
    const gone = await timekeeper(0);
    await gone.close();
    const { opened, ahead } = await followerOf(gone.url);
    const started = opened.start();
    const keeper = await timekeeper(year, gone.port);
    await started;
    expect(ahead()).toBe(year);
    await keeper.close();
    const again = await timekeeper(3 * year, gone.port);
    await until(() => ahead() === 3 * year);
    expect(again.followers.at(-1)).toMatchObject({ offset: expect.any(Number) });
  });

  it('must be handed to the management server', async () => {
    await expect(openClock({ NODE_ENV, SIMULATION_URL: 'http://127.0.0.1:1' }).start()).rejects.toThrow(
      'startManagementServer',
    );
  });
});

describe('the machine’s clock', () => {
  it('is all there is without a simulator: nothing can move it', async () => {
    const opened = openClock({ NODE_ENV: 'production' });
    const metrics = new Metrics({ service: 'test' });
    const server = await startManagementServer({ host: '127.0.0.1', port: 0, checks: [], metrics, clock: opened });
    ends.push(() => server.close());
    await opened.start();
    expect((await fetch(`${server.url}/simulation/clock`, { method: 'POST', body: '{"offset":1}' })).status).toBe(405);
    const told = [Date.now(), opened.clock.now(), opened.clock.machineNow(), Date.now()];
    expect(told).toEqual(told.toSorted((one, other) => one - other));
  });

  it('is never a simulated one in production', () => {
    const open = () => openClock({ NODE_ENV: 'production', SIMULATION_URL: 'http://127.0.0.1:1' });
    expect(open).toThrow(ConfigurationError);
    expect(open).toThrow('SIMULATION_URL: moves the clock');
  });
});
