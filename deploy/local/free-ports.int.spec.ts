import { afterEach, describe, expect, it } from '@jest/globals';
import { createServer, type Server } from 'node:net';
import { freePorts, isPortFree, loopback } from './free-ports.ts';

const servers: Server[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))));
});

function listen(port: number): Promise<void> {
  const server = createServer();
  servers.push(server);
  return new Promise((resolve, reject) => server.once('error', reject).listen(port, loopback, resolve));
}

describe('free ports', () => {
  it('are different ones, asked for at once or one behind the other', async () => {
    const asked = await Promise.all([freePorts(40), freePorts(40)]);
    const ports = [...asked.flat(), ...(await freePorts(20))];

    expect(new Set(ports).size).toBe(100);
  });

  it('can be listened on, and are free no more then', async () => {
    const [port] = await freePorts(1);
    expect(await isPortFree(port!)).toBe(true);

    await listen(port!);

    expect(await isPortFree(port!)).toBe(false);
  });

  it('are none of those that the system gives to outgoing connections', async () => {
    await listen(0);
    const address = servers[0]!.address();
    const outgoing = typeof address === 'object' && address !== null ? address.port : 0;

    const ports = await freePorts(100);

    expect(Math.max(...ports)).toBeLessThan(32_768);
    expect(outgoing).toBeGreaterThan(Math.max(...ports));
  });
});
