import { request } from 'undici';
import type { Action } from '../model/act.ts';
import type { Instant } from '../model/instant.ts';
import type { Terms } from '../model/life.ts';
import type { Store } from '../plan/market.ts';
import type { Disturbance } from '../plan/troubles.ts';
import { buyers, changeOf, type Order, type Receipt, type Seller } from './orders.ts';

const pathOf: Readonly<Record<Store, string>> = { app_store: 'app-store', play_store: 'play-store', stripe: 'stripe' };
const callTimeoutMs = 600_000;

/** Buys, cancels, breaks and moves time at the simulated stores. */
export class SimulatedStores {
  readonly #url: string;
  readonly #appId: number;

  constructor(url: string, appId: number) {
    this.#url = url;
    this.#appId = appId;
  }

  async now(): Promise<number> {
    const { now } = await this.#call<{ now: string | number }>('GET', '/clock');
    return new Date(now).getTime();
  }

  /** Does something, with the moments of the stores' clock before and after. */
  async timed<Result>(work: () => Promise<Result>): Promise<{ result: Result; at: Instant }> {
    const earliest = await this.now();
    const result = await work();
    return { result, at: { earliest, latest: await this.now() } };
  }

  /** @param by ISO 8601 duration */
  async advance(by: string): Promise<void> {
    await this.#call('POST', '/clock/advance', { by });
  }

  /** @returns the keys to the stores: the bodies of the admin API's credentials */
  async register(
    bundleId: string,
    gateway: string,
  ): Promise<Readonly<Record<'appStore' | 'playStore' | 'stripe', object>>> {
    return this.#call('POST', '/apps', { appId: this.#appId, bundleId, packageName: bundleId, gateway });
  }

  async buy(order: Order): Promise<Receipt> {
    return buyers[order.store]((path, body) => this.#call('POST', path, { appId: this.#appId, ...body }), order);
  }

  async act(seller: Seller, id: string, action: Action, terms?: Terms): Promise<void> {
    const isUnanswered = action === 'price-increase-unanswered';
    const path = `/${pathOf[seller.store]}/purchases/${encodeURIComponent(id)}`;
    await this.#call('POST', `${path}/${isUnanswered ? 'price-increase' : action}`, {
      ...(terms && changeOf(seller, terms)),
      ...(isUnanswered && { consented: false }),
    });
  }

  /** The store's answers go wrong from now on. */
  async shut(store: Store): Promise<void> {
    await this.#call('POST', '/faults', { store: pathOf[store], kind: '500', count: 1_000_000 });
  }

  async disturbNotifications(store: Store, how: Disturbance, count: number): Promise<void> {
    await this.#call('POST', '/faults', { store: pathOf[store], kind: `notification-${how}`, count });
  }

  async mend(): Promise<void> {
    await this.#call('DELETE', '/faults');
  }

  async #call<Result>(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<Result> {
    const { statusCode, body: answer } = await request(`${this.#url}${path}`, {
      method,
      headersTimeout: callTimeoutMs,
      bodyTimeout: callTimeoutMs,
      ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (statusCode >= 300) throw new Error(`The simulator on ${method} ${path}: ${statusCode} ${text}`);
    const result: Result = text === '' ? undefined : JSON.parse(text);
    return result;
  }
}
