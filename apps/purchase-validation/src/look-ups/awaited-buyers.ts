import type { Clock } from '@paywright/platform';
import type { Buyers } from '../asking/buyers.ts';
import type { LookUpBook } from './look-up-book.ts';

export interface AwaitedBuyersOptions {
  readonly lookUps: Pick<LookUpBook, 'awaited' | 'lookFor'>;
  readonly buyers: Pick<Buyers, 'exists'>;
  readonly clock: Clock;
}

/** Of a hundred thousand who buy on the web and are yet to start the app, all are looked for within two minutes. */
const atATime = 1_000;
const beforeAll = '00000000-0000-0000-0000-000000000000';

/**
 * Has that asked for which is kept for the sake of a buyer without a profile, once the read model has it. Nobody tells of the
 * profile but that table, and it costs an index entry for each, where a look at the store would cost a question.
 */
export class AwaitedBuyers {
  readonly #options: AwaitedBuyersOptions;
  #after = beforeAll;

  constructor(options: AwaitedBuyersOptions) {
    this.#options = options;
  }

  /** Looks for the next thousand; behind the last one begins anew. */
  async lookForNext(): Promise<void> {
    const { lookUps, buyers, clock } = this.#options;
    const awaited = await lookUps.awaited(this.#after, atATime);
    const there = await Promise.all(awaited.map(({ appId, profileId }) => buyers.exists(appId, profileId)));
    const found = awaited.filter((_, index) => there[index]).map(({ profileId }) => profileId);
    if (found.length > 0) await lookUps.lookFor(found, clock.now());
    this.#after = awaited.length < atATime ? beforeAll : awaited.at(-1)!.profileId;
  }
}
