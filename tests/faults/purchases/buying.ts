import { setTimeout as sleep } from 'node:timers/promises';
import { postPatiently } from '../../stack/send-patiently.ts';
import type { FaultyAppStore, Sale } from './app-store.ts';

/** Where the load goes. */
export interface Target {
  /** Base addresses of those that run now. */
  readonly gateways: () => readonly string[];
  readonly appId: number;
  readonly secretKey: string;
  /** Between two purchases of a lane; 0 if left out. */
  readonly pauseMs?: number;
}

/** What a profile bought, as its client and the store know it. */
export interface Bought {
  readonly profileId: string;
  readonly transactionIds: readonly string[];
}

type Seller = Pick<FaultyAppStore, 'sell' | 'renew'>;

const monthsEach = 3;

/**
 * Customers who subscribe: the client validates while the store notifies, of the first month and of the renewals, some
 * of it twice. Client and store repeat what is not answered with 2xx, as real ones do.
 */
export class Buying {
  readonly #target: Target;
  readonly #store: Seller;
  readonly #lanes: readonly Promise<void>[];
  readonly #bought: Bought[] = [];
  #going = true;

  constructor(target: Target, store: Seller, lanes: number) {
    this.#target = target;
    this.#store = store;
    this.#lanes = Array.from({ length: lanes }, () => this.#buyOn());
    for (const lane of this.#lanes) lane.catch(() => undefined); // whoever stops it is told
  }

  /** What was taken so far. */
  get bought(): readonly Bought[] {
    return this.#bought;
  }

  /**
   * Every purchase that was begun is brought to its end.
   * @throws what one was not taken for, when all have ended; `bought` has the others
   */
  async stop(): Promise<readonly Bought[]> {
    this.#going = false;
    const ended = await Promise.allSettled(this.#lanes);
    for (const lane of ended) if (lane.status === 'rejected') throw lane.reason;
    return this.#bought;
  }

  async #buyOn(): Promise<void> {
    while (this.#going) {
      this.#bought.push(await this.#buy());
      await sleep(this.#target.pauseMs ?? 0);
    }
  }

  async #buy(): Promise<Bought> {
    const { secretKey, appId } = this.#target;
    const authorization = { authorization: secretKey };
    const profile = { country: 'US', device: 'iPhone17,1', os: 'iOS 26.0', platform: 'ios', locale: 'en-US' };
    const created = await this.#post('/api/v1/web-api/profiles', JSON.stringify(profile), authorization);
    const { profileId } = (JSON.parse(created) as { data: { profileId: string } }).data;
    const first = this.#store.sell();
    const renewals: Sale[] = [];
    for (let month = 1; month < monthsEach; month++) renewals.push(this.#store.renew(first, month));
    const { transactionId, originalTransactionId, productId } = first;
    const claim = JSON.stringify({ profileId, transactionId, originalTransactionId, productId });
    await Promise.all([
      this.#post('/api/v1/web-api/purchases/apple-store/validate', claim, authorization),
      ...[first, ...renewals, first].map(({ notification }) =>
        this.#post(`/notifications/${appId}/app-store`, notification),
      ),
    ]);
    return { profileId, transactionIds: [first, ...renewals].map(({ transactionId: id }) => id) };
  }

  #post(path: string, body: string, headers: Record<string, string> = {}): Promise<string> {
    return postPatiently(this.#target.gateways, path, body, headers);
  }
}
