import { type Chain, currentTransaction, isPaidFor, periodsOf, transactionsOf } from '../chain/chain.ts';
import { linesOf } from '../chain/lines.ts';
import { type Standing, standingOf } from './standing.ts';

/** In the order in which they win where a profile has several subscriptions. */
export const profileStates = [
  'subscribed',
  'active-trial',
  'grace-period',
  'auto-renew-off',
  'billing-issue',
  'trial-cancelled',
  'subscription-cancelled',
  'never-subscribed',
] as const;
export type ProfileState = (typeof profileStates)[number];

/**
 * Where the profile stands with its subscriptions at `now`. Sandbox and family access do not count.
 * @param chains as the profile has them: see chainOf
 */
export function profileStateOf(profileId: string, chains: readonly Chain[], now: number): ProfileState {
  const lines = chains.flatMap(linesOf).filter(counts);
  const states = lines.map((line) => stateOf(line, standingOf(line, profileId, now)));
  return profileStates.find((state) => states.includes(state)) ?? 'never-subscribed';
}

/** Whether the profile pays at `now`, by subscription: for the period that runs, or the grace after one. */
export const paysFor = (chain: Chain, profileId: string, now: number): boolean =>
  linesOf(chain).some((line) => {
    const standing = standingOf(line, profileId, now);
    if (!counts(line) || !standing?.isEntitled || standing.status === 'trial') return false;
    return standing.status === 'grace' ? hadPaidPeriod(line) : !isUnpaid(line);
  });

/**
 * Whether the period cost nothing. Where Stripe sends an invoice, a subscription runs before it is paid, and where the app
 * collects no payments, without that. Stripe tells of all that was paid; others need not.
 */
function isUnpaid(chain: Chain): boolean {
  const current = currentTransaction(chain);
  if (chain.store !== 'stripe') return current?.isFree === true;
  return chain.subscription?.transactionId == null || (current !== null && !isPaidFor(current));
}

/** Whether the chain counts for state, payment and revenue: bought, for real, by its owner. */
export const counts = (chain: Chain): boolean => {
  const shared = currentTransaction(chain) ?? transactionsOf(chain).at(-1);
  return chain.environment === 'production' && !shared?.isFamilyShared;
};

function stateOf(chain: Chain, standing: Standing | null): ProfileState {
  switch (standing?.status) {
    case undefined:
    case 'pending':
      return 'never-subscribed';
    case 'grace':
      return 'grace-period';
    case 'billing_retry':
      return 'billing-issue';
    case 'trial':
      return standing.willRenew ? 'active-trial' : 'auto-renew-off';
    case 'intro':
    case 'active':
      return standing.willRenew ? 'subscribed' : 'auto-renew-off';
    default:
      return endedStateOf(chain);
  }
}

function endedStateOf(chain: Chain): ProfileState {
  const phases = periodsOf(chain).map(({ phase }) => phase);
  if (phases.length > 0)
    return phases.every((phase) => phase === 'trial') ? 'trial-cancelled' : 'subscription-cancelled';
  // Nothing was ever bought if not even the store names a period's transaction.
  return chain.subscription?.transactionId === null ? 'never-subscribed' : 'subscription-cancelled';
}

function hadPaidPeriod(chain: Chain): boolean {
  const last = currentTransaction(chain) ?? periodsOf(chain).at(-1);
  return last !== undefined && isPaidFor(last);
}
