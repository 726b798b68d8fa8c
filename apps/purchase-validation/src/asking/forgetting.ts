import { type ForgetBuyer, ReleasePurchase } from '@paywright/contracts';
import { acceptanceOf, type OutgoingMessage, type ReceivedMessage, unawaitedCommand } from '@paywright/messaging';
import { derivedId } from '@paywright/platform';
import type { PurchaseQueries } from '@paywright/read-model';
import type { Buyers } from './buyers.ts';

export interface ForgettingOptions {
  readonly buyers: Pick<Buyers, 'forget' | 'createdAt'>;
  readonly purchases: Pick<PurchaseQueries, 'chainsOf'>;
}

/** Forgets who erased profiles were at the stores, and gives up their chains. Each step may be done again. */
export class Forgetting {
  readonly #options: ForgettingOptions;

  constructor(options: ForgettingOptions) {
    this.#options = options;
  }

  /** @returns the commands that release the chains, and the reply */
  async forget(command: ForgetBuyer, message: ReceivedMessage): Promise<readonly OutgoingMessage[]> {
    const { id, appId, key: profileId, issuedAt, traceparent, body } = command;
    const { buyers, purchases } = this.#options;
    await buyers.forget(appId, profileId);
    const chains = (await purchases.chainsOf([profileId])).get(profileId) ?? [];
    const profileCreatedAt = await buyers.createdAt(appId, profileId); // behind what it has claimed since
    const releases = chains.flatMap(({ chainId, owner }) => {
      if (chainId === null || owner !== profileId) return [];
      const release = { profileId, releasedAt: body.erasedAt, profileCreatedAt };
      const place = { id: derivedId(`${id} releases ${chainId}`), appId, key: chainId, issuedAt, traceparent };
      return unawaitedCommand(ReleasePurchase, { ...place, body: release });
    });
    return [...releases, ...acceptanceOf<typeof ForgetBuyer>(message, {})];
  }
}
