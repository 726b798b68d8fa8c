import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { ToldError } from '@paywright/platform/told-error';

export const loopback = '127.0.0.1';

/**
 * Below what Linux (from 32768) and macOS (from 49152) give to outgoing connections: a port from there may be some
 * connection's own between the moment it is chosen and the moment its server listens.
 */
const lowest = 20_000;
const highest = 32_767;

/** Chosen by this process before; their servers may not listen yet. */
const chosen = new Set<number>();

/** `count` different ports of the loopback that nobody listens on, none of them handed out before. */
export async function freePorts(count: number): Promise<readonly number[]> {
  const ports: number[] = [];
  while (ports.length < count) {
    const port = choosePort();
    if (await isPortFree(port)) ports.push(port);
  }
  return ports;
}

/** One of `freePorts`. */
export async function freePort(): Promise<number> {
  const [port] = await freePorts(1);
  return port!;
}

/** Chance keeps processes that choose at the same time apart. */
function choosePort(): number {
  if (chosen.size > highest - lowest) throw new ToldError(`No port from ${lowest} to ${highest} is left.`);
  let port: number;
  do port = randomInt(lowest, highest + 1);
  while (chosen.has(port));
  chosen.add(port);
  return port;
}

/** Whether a program could listen on this port of the loopback now. */
export function isPortFree(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const server = createServer();
  server.once('error', () => resolve(false));
  server.listen(port, loopback, () => server.close(() => resolve(true)));
  return promise;
}
