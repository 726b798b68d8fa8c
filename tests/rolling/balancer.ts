import { setTimeout as sleep } from 'node:timers/promises';
import type { ServiceAddresses } from '@paywright/deploy/local/service.ts';

const everyMs = 300;
const patienceMs = 1_000;

/** Sends requests to gateways in turn, as a load balancer does: to those that were ready when it last asked. */
export class Balancer {
  readonly #gateways: () => readonly ServiceAddresses[];
  #asking: Promise<void> = Promise.resolve();
  #ready: readonly string[] = [];
  #turn = 0;
  #going = true;

  private constructor(gateways: () => readonly ServiceAddresses[]) {
    this.#gateways = gateways;
  }

  /** @param gateways all processes there are, those included that are ending */
  static async start(gateways: () => readonly ServiceAddresses[]): Promise<Balancer> {
    const balancer = new Balancer(gateways);
    await balancer.#askAll();
    balancer.#asking = balancer.#askOn();
    return balancer;
  }

  /** The next one's address. @throws if none was ready */
  next(): string {
    const gateway = this.#ready[this.#turn++ % this.#ready.length];
    if (gateway === undefined) throw new Error('No gateway is ready.');
    return gateway;
  }

  async stop(): Promise<void> {
    this.#going = false;
    await this.#asking;
  }

  async #askOn(): Promise<void> {
    for (; this.#going; await sleep(everyMs)) await this.#askAll();
  }

  async #askAll(): Promise<void> {
    const asked = await Promise.all(this.#gateways().map(readyGateway));
    this.#ready = asked.filter((gateway) => gateway !== null);
  }
}

async function readyGateway({ gateway, management }: ServiceAddresses): Promise<string | null> {
  if (gateway === undefined) return null;
  const signal = AbortSignal.timeout(patienceMs);
  return fetch(`${management}/health/ready`, { signal }).then(
    ({ ok }) => (ok ? gateway : null),
    () => null,
  );
}
