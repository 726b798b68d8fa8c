import { setTimeout as delay } from 'node:timers/promises';
import { send, type Json } from '../conformance/http.ts';

export type SimulatedStore = 'app-store' | 'play-store' | 'stripe';

/** The simulated stores, at their own address. */
export class Simulator {
  readonly url: string;

  constructor(url: string) {
    this.url = url;
  }

  /** @throws if it refuses, with its reason */
  async call(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<Json> {
    const headers = body && { 'content-type': 'application/json' };
    const answer = await send(this.url, { method, path, body, ...(headers && { headers }) });
    if (answer.status >= 300) throw new Error(`The simulator on ${method} ${path}: ${answer.status} ${answer.text}`);
    return answer.body;
  }

  async now(): Promise<number> {
    return Date.parse((await this.call('GET', '/clock')).now);
  }

  /** @param by ISO 8601 duration. Notifications that fall due have arrived when it is done. */
  async advance(by: string): Promise<void> {
    await this.call('POST', '/clock/advance', { by });
  }

  act(store: SimulatedStore, id: string, action: string, body: object = {}): Promise<Json> {
    return this.call('POST', `/${store}/purchases/${encodeURIComponent(id)}/${action}`, body);
  }

  async fault(store: SimulatedStore, kind: string, count = 1): Promise<void> {
    await this.call('POST', '/faults', { store, kind, count });
  }

  mend(): Promise<Json> {
    return this.call('DELETE', '/faults');
  }

  /** Calls that a store got, oldest first. */
  async calls(store: SimulatedStore): Promise<readonly Json[]> {
    const { entries } = await this.call('GET', `/journal?limit=10000&kind=call&store=${store}`);
    return entries;
  }
}

/** As the count of a fault: more than any number of tries. */
export const persistently = 50;

const patienceMs = 20_000;

/** Tries until it does not throw: what a notification brings is visible a moment after its answer. */
export async function eventually(check: () => Promise<void>): Promise<void> {
  const end = performance.now() + patienceMs;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() > end) throw error;
      await delay(100);
    }
  }
}
