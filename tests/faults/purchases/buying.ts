import { setTimeout as sleep } from 'node:timers/promises';
import { postPatiently } from '../../stack/send-patiently.ts';

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

/** Who subscribes, and where. */
export interface Buyer {
  readonly profileId: string;
  readonly appId: number;
  /** Of requests that its client makes. */
  readonly clients: Readonly<Record<string, string>>;
}

/** What the client or the store posts. */
export interface Post {
  readonly path: string;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A subscription's months, each of which costs 9.99 USD. */
export interface Sold {
  readonly transactionIds: readonly string[];
  /** What is posted together, once what came before was taken. */
  readonly rounds: readonly (() => Promise<readonly Post[]>)[];
}

/** A store that sells a subscription of some months: it notifies, and where it has clients do so, they validate. */
export interface Seller {
  subscribe(buyer: Buyer): Sold;
}

/**
 * Customers who subscribe, in one store after the other. Client and store repeat what is not answered with 2xx, as real
 * ones do.
 */
export class Buying {
  readonly #target: Target;
  readonly #sellers: readonly Seller[];
  readonly #lanes: readonly Promise<void>[];
  readonly #bought: Bought[] = [];
  #going = true;

  constructor(target: Target, sellers: readonly Seller[], lanes: number) {
    this.#target = target;
    this.#sellers = sellers;
    this.#lanes = Array.from({ length: lanes }, (_, lane) => this.#buyOn(lane));
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

  async #buyOn(lane: number): Promise<void> {
    for (let turn = lane; this.#going; turn++) {
      this.#bought.push(await this.#buy(this.#sellers[turn % this.#sellers.length]!));
      await sleep(this.#target.pauseMs ?? 0);
    }
  }

  async #buy(seller: Seller): Promise<Bought> {
    const { secretKey, appId } = this.#target;
    const clients = { authorization: secretKey };
    const profile = { country: 'US', device: 'iPhone17,1', os: 'iOS 26.0', platform: 'ios', locale: 'en-US' };
    const created = await this.#post('/api/v1/web-api/profiles', JSON.stringify(profile), clients);
    const { profileId } = (JSON.parse(created) as { data: { profileId: string } }).data;
    const { transactionIds, rounds } = seller.subscribe({ profileId, appId, clients });
    for (const round of rounds)
      await Promise.all((await round()).map(({ path, body, headers }) => this.#post(path, body, headers)));
    return { profileId, transactionIds };
  }

  #post(path: string, body: string, headers: Readonly<Record<string, string>> = {}): Promise<string> {
    return postPatiently(this.#target.gateways, path, body, headers);
  }
}
