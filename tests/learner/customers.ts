import { setTimeout as sleep } from 'node:timers/promises';
import { uniform } from '@paywright/selection-engine';
import type { FaultyAppStore } from '../faults/purchases/app-store.ts';
import { postPatiently } from '../stack/send-patiently.ts';
import { modelOfPlacement } from './catalog.ts';

export interface CustomersTarget {
  readonly gateways: () => readonly string[];
  readonly secretKey: string;
  readonly store: FaultyAppStore;
  /** Of the product's processes. */
  readonly now: () => number;
}

/** What a model has to have learned of by now. */
export interface Lived {
  exposures: number;
  starts: number;
}

const lanes = 4;
const pauseMs = 20;
const countries = ['US', 'DE', 'BR', 'JP'];
const places = [...modelOfPlacement.keys()];
const oneOf = <One>(all: readonly One[], draw: number): One => all[Math.floor(draw * all.length)]!;

/**
 * People who meet one paywall each, and of whom every third buys: the client repeats what is not answered, so all that
 * is begun is done, and counted once.
 */
export class Customers {
  /** By model. */
  readonly lived: ReadonlyMap<string, Lived> = new Map(
    [...modelOfPlacement.values()].map((model) => [model, { exposures: 0, starts: 0 }]),
  );
  readonly #target: CustomersTarget;
  readonly #seed: string;
  #lanes: readonly Promise<void>[] = [];
  #going = false;
  #people = 0;

  constructor(target: CustomersTarget, seed: string) {
    this.#target = target;
    this.#seed = seed;
  }

  /** People come while `during` runs. Resolves when the last of them is done. */
  async while<Done>(during: () => Promise<Done>): Promise<Done> {
    this.#going = true;
    this.#lanes = Array.from({ length: lanes }, () => this.#comeAndGo());
    for (const lane of this.#lanes) lane.catch(() => undefined); // told below
    try {
      return await during();
    } finally {
      this.#going = false;
      await Promise.all(this.#lanes);
    }
  }

  async #comeAndGo(): Promise<void> {
    while (this.#going) {
      await this.#visit(`person/${this.#people++}`);
      await sleep(pauseMs);
    }
  }

  async #visit(person: string): Promise<void> {
    const placementId = oneOf(places, uniform(this.#seed, `${person}/place`));
    const country = oneOf(countries, uniform(this.#seed, `${person}/country`));
    const lived = this.lived.get(modelOfPlacement.get(placementId) ?? '');
    if (lived === undefined) throw new Error(`No model learns from ${placementId}.`);
    const device = { country, device: 'iPhone17,1', os: 'iOS 26.0', platform: 'ios', locale: 'en-US' };
    const { profileId } = await this.#post<{ profileId: string }>('profiles', device);
    const { paywallSessionId } = await this.#post<{ paywallSessionId: string }>('paywalls', { profileId, placementId });
    await this.#post('events', [{ eventType: 'paywall_shown', profileId, paywallSessionId }]);
    lived.exposures++;
    if (uniform(this.#seed, `${person}/buys`) > 1 / 3) return;
    const { transactionId, originalTransactionId, productId } = this.#target.store.sell(this.#target.now());
    const bought = { profileId, transactionId, originalTransactionId, productId };
    await this.#post('purchases/apple-store/validate', bought);
    lived.starts++;
  }

  async #post<Data>(path: string, body: object): Promise<Data> {
    const { gateways, secretKey } = this.#target;
    const headers = { authorization: secretKey };
    const answer = await postPatiently(gateways, `/api/v1/web-api/${path}`, JSON.stringify(body), headers);
    return (JSON.parse(answer) as { data: Data }).data;
  }
}
