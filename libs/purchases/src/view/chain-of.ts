import type { SubscriptionFact } from '@paywright/contracts';
import type { Chain } from '../chain/chain.ts';

/** The chain as the profile has it: for a former owner, as it was when another took it over, and ended then. */
export function chainOf(profileId: string, chain: Chain): Chain {
  const taken = chain.owner === profileId ? undefined : chain.takenOver?.[profileId];
  // Taken over by the very first word of it: what that word said is kept of the chain alone.
  const { subscription, addOns = [] } = taken?.subscription ? taken : chain;
  if (!taken || !subscription) return chain;
  const { at } = taken;
  const transactions = Object.entries(chain.transactions).filter(([, { purchasedAt }]) => purchasedAt <= at);
  const starts = transactions.map(([, { startsAt }]) => startsAt);
  const lastStart = starts.length > 0 ? Math.max(...starts) : at;
  const untilThen = (one: SubscriptionFact) => ({
    ...one,
    startsAt: one.startsAt <= at ? one.startsAt : lastStart,
    expiresAt: Math.min(one.expiresAt ?? at, at),
  });
  return {
    ...chain,
    switchedOffAt: undefined, // it may be the new owner's
    subscription: untilThen(subscription),
    addOns: addOns.map(untilThen),
    transactions: Object.fromEntries(transactions),
  };
}
