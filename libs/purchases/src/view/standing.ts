import type { CancellationReason, SubscriptionFact, SubscriptionStatus } from '@paywright/contracts';
import { type Chain, currentTransaction } from '../chain/chain.ts';
import { isPeriodRefunded, isRevoked } from '../chain/refunds.ts';

export type StandingStatus = Exclude<SubscriptionStatus, 'unknown'> | 'replaced' | 'transferred';

/** How a subscription stands for a profile at a moment. */
export interface Standing {
  readonly status: StandingStatus;
  readonly isEntitled: boolean;
  readonly willRenew: boolean;
  /** null as long as it goes on. */
  readonly cancellationReason: CancellationReason | null;
}

/**
 * How the chain's subscription stands for the profile at `now` (milliseconds): facts and clock alone, so what runs
 * out is over without any news. null if there is none that the store is sure of.
 */
export function standingOf(chain: Chain, profileId: string, now: number): Standing | null {
  const { subscription } = chain;
  if (subscription === null || subscription.status === 'unknown') return null;
  if (chain.owner !== profileId) return ended('transferred', 'unknown');
  if (chain.replacedAt !== null) return ended('replaced', 'upgraded');
  const taken = takenBack(chain, subscription);
  if (taken) return ended('revoked', taken);
  const status = statusAt(chain, subscription, subscription.status, now);
  const isEntitled = entitledStatuses.has(status);
  const willRenew = subscription.willRenew && !endedStatuses.has(status);
  return { status, isEntitled, willRenew, cancellationReason: reasonOf(chain, subscription, status) };
}

const ended = (status: StandingStatus, cancellationReason: CancellationReason): Standing => ({
  status,
  isEntitled: false,
  willRenew: false,
  cancellationReason,
});

const entitledStatuses: ReadonlySet<StandingStatus> = new Set(['trial', 'intro', 'active', 'grace']);
const endedStatuses: ReadonlySet<StandingStatus> = new Set(['expired', 'revoked', 'replaced', 'transferred']);

/** Whether a newer word says that it has what was taken without money: a family can share it again. */
const isHeldSince = ({ observedAt, revokedAt }: Chain, { transactionId, status }: SubscriptionFact): boolean =>
  status !== 'revoked' && observedAt > (revokedAt[transactionId ?? ''] ?? Infinity);

/** Why the store took the current period back, if it did. A refund at Play or Stripe leaves that to the store's status. */
function takenBack(chain: Chain, subscription: SubscriptionFact): CancellationReason | null {
  const { transactionId, status } = subscription;
  if (transactionId === null) return null;
  if (chain.store === 'app_store' && isPeriodRefunded(chain, transactionId)) return 'refund';
  if (isRevoked(chain, transactionId) && !isHeldSince(chain, subscription)) return 'unknown';
  return isPeriodRefunded(chain, transactionId) && (status === 'expired' || status === 'revoked') ? 'refund' : null;
}

/** The status that the store gave, moved on by the clock. */
function statusAt(
  chain: Chain,
  subscription: SubscriptionFact,
  status: Exclude<SubscriptionStatus, 'unknown'>,
  now: number,
): StandingStatus {
  const { expiresAt, graceExpiresAt, isOpenEnded } = subscription;
  const runs = isOpenEnded || now < (expiresAt ?? 0);
  const inGrace = now < (graceExpiresAt ?? 0);
  switch (status) {
    case 'trial':
    case 'intro':
    case 'active':
      return runs ? status : inGrace ? 'grace' : 'expired';
    case 'grace':
      return runs || inGrace ? 'grace' : retried(subscription, now);
    case 'paused':
      // Google pauses at the end of a period; Stripe at once.
      return runs && chain.store === 'play_store' ? paidFor(chain) : 'paused';
    case 'billing_retry':
      return retried(subscription, now);
    default:
      return status;
  }
}

/** Apple tries to collect a payment for 60 days, the others for less: then it is over, told or not. */
const retriesMs = 60 * 24 * 60 * 60 * 1000;

const retried = ({ expiresAt }: SubscriptionFact, now: number): 'billing_retry' | 'expired' =>
  now < (expiresAt ?? Infinity) + retriesMs ? 'billing_retry' : 'expired';

function paidFor(chain: Chain): 'trial' | 'intro' | 'active' {
  const phase = currentTransaction(chain)?.phase;
  return phase === 'trial' || phase === 'intro' ? phase : 'active';
}

function reasonOf({ store }: Chain, { willRenew, cancellationReason }: SubscriptionFact, status: StandingStatus) {
  if (status === 'expired' && willRenew) return cancellationReason ?? 'unknown';
  if (willRenew || status === 'pending') return null;
  // Google says why a renewal is off. A prepaid plan has none: as long as it runs, nobody switched one off.
  if (store === 'play_store' && cancellationReason === null && entitledStatuses.has(status)) return null;
  return cancellationReason ?? 'voluntarily_cancelled';
}
