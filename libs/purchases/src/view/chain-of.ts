import type { SubscriptionFact } from '@paywright/contracts';
import type { Chain } from '../chain/chain.ts';

/** The chain as the profile has it: for a former owner, as it was when another took it over, and ended then. */
export function chainOf(profileId: string, chain: Chain): Chain {
  const taken = chain.owner === profileId ? undefined : chain.takenOver?.[profileId];
  if (!taken?.subscription) return chain;
  const { at, subscription, addOns = [] } = taken;
  const untilThen = (one: SubscriptionFact) => ({ ...one, expiresAt: Math.min(one.expiresAt ?? at, at) });
  const transactions = Object.entries(chain.transactions).filter(([, { purchasedAt }]) => purchasedAt <= at);
  return {
    ...chain,
    switchedOffAt: undefined, // it may be the new owner's
    subscription: untilThen(subscription),
    addOns: addOns.map(untilThen),
    transactions: Object.fromEntries(transactions),
  };
}
