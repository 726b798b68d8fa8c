import type { CancellationReason, Offer, Store, SubscriptionFact, TransactionFact } from '@paywright/contracts';
import { unsubscribedAt } from '../chain/auto-renewal.ts';
import { type Chain, currentTransaction, originallyPurchasedAt, periodsOf, tookPlaceOf } from '../chain/chain.ts';
import { linesOf } from '../chain/lines.ts';
import { isPeriodRefunded, isRefunded, isWithdrawn, returnedAt, takenBackAt } from '../chain/refunds.ts';
import { standingOf } from './standing.ts';

type OfferType = Offer['type'];

/** One object of `accessLevels` and `subscriptions`. Times are ISO 8601 in UTC with milliseconds. */
export interface AccessEntry {
  readonly createdDate: string;
  readonly id: number;
  readonly isActive: boolean;
  readonly sourceProductId: string;
  readonly sourceBasePlanId: string | null;
  readonly store: Store;
  readonly activatedAt: string;
  readonly isLifetime: boolean;
  readonly isRefund: boolean;
  readonly willRenew: boolean;
  readonly isInGracePeriod: boolean;
  readonly cancellationReason: CancellationReason | null;
  readonly offerId: string | null;
  readonly startsAt: string;
  readonly renewedAt: string | null;
  readonly expiresAt: string | null;
  readonly activeIntroductoryOfferType: OfferType;
  readonly activePromotionalOfferType: OfferType;
  readonly activePromotionalOfferId: string | null;
  readonly unsubscribedAt: string | null;
  readonly billingIssueDetectedAt: string | null;
}

/**
 * `until`: the end of the access, a grace included, in milliseconds; Infinity where it is open, -Infinity where none is told.
 * Of what gives none any more, when it ended, which may be before what was paid for is over.
 */
export interface Access {
  readonly entry: AccessEntry;
  readonly until: number;
}

/**
 * What the profile has of the chain's subscriptions at `now`; none that is not paid for yet, or never was.
 * @param chain as the profile has it: see chainOf
 */
export const subscriptionAccess = (chain: Chain, profileId: string, now: number): readonly Access[] =>
  linesOf(chain).flatMap((told) => {
    const line = untilNextPeriod(told, now);
    const entry = subscriptionEntry(line, profileId, now);
    if (!entry) return [];
    return { entry, until: entry.isActive ? endOf(line) : Math.min(endOf(line), endedEarly(line), now) };
  });

/**
 * The chain as it is until the next period begins, where that was paid for ahead: a renewal can be charged a day before, and
 * a prepaid plan is topped up. Of the same plan access does not end in between.
 */
function untilNextPeriod(chain: Chain, now: number): Chain {
  const { subscription: next } = chain;
  if (next === null || next.startsAt <= now) return chain;
  const running = periodsOf(chain).findLast(
    ({ startsAt, expiresAt }) => startsAt <= now && now < (expiresAt ?? Infinity),
  );
  // What another plan takes the place of before its end is over, though our clock be a little behind the store's.
  if (running === undefined || (running.expiresAt ?? Infinity) > next.startsAt) return chain;
  const { productId, basePlanId, offerId, transactionId, startsAt } = running;
  const isSamePlan = productId === next.productId && basePlanId === next.basePlanId;
  const expiresAt = isSamePlan ? next.expiresAt : running.expiresAt;
  return {
    ...chain,
    subscription: { ...next, productId, basePlanId, offerId, transactionId, startsAt, expiresAt },
  };
}

/** When somebody ended the access before its time. */
const endedEarly = (chain: Chain, transactionId = chain.subscription?.transactionId ?? null): number =>
  Math.min(chain.replacedAt ?? Infinity, transactionId === null ? Infinity : takenBackAt(chain, transactionId));

const endOf = ({ subscription }: Chain): number =>
  subscription?.isOpenEnded
    ? Infinity
    : Math.max(subscription?.expiresAt ?? -Infinity, subscription?.graceExpiresAt ?? -Infinity);

function subscriptionEntry(chain: Chain, profileId: string, now: number): AccessEntry | null {
  const standing = standingOf(chain, profileId, now);
  const { subscription, store, chainId } = chain;
  if (!standing || standing.status === 'pending' || !subscription || !store || !chainId) return null;
  const current = currentTransaction(chain);
  const bought = periodsOf(chain);
  if (subscription.status === 'expired' && subscription.transactionId === null && bought.length === 0) return null;
  const first = bought[0];
  return {
    createdDate: iso(first?.purchasedAt ?? subscription.startsAt),
    id: integerOf(chainId),
    isActive: standing.isEntitled,
    sourceProductId: subscription.productId,
    sourceBasePlanId: subscription.basePlanId,
    store,
    activatedAt: iso(first ? activeSince(first) : subscription.startsAt),
    isLifetime: false,
    isRefund: current !== null && isPeriodRefunded(chain, current.transactionId),
    willRenew: standing.willRenew,
    isInGracePeriod: standing.status === 'grace',
    cancellationReason: standing.cancellationReason,
    offerId: subscription.offerId,
    startsAt: iso(periodStart(chain, subscription)),
    renewedAt: isoOrNull(renewedAt(bought, now)),
    expiresAt: isoOrNull(subscription.expiresAt),
    ...offerOf(standing.isEntitled ? current : null),
    unsubscribedAt: isoOrNull(unsubscribedAt(chain)),
    billingIssueDetectedAt: isoOrNull(subscription.billingIssueAt),
  };
}

/** In the App Store seats that are added to a period are the newest that was bought of it, and end with it. */
function periodStart(chain: Chain, { startsAt }: SubscriptionFact): number {
  const current = currentTransaction(chain);
  if (chain.store !== 'app_store' || current?.phase !== 'prorated') return startsAt;
  const isOfPeriod = (one: TransactionFact) =>
    one.phase !== 'prorated' && one.productId === current.productId && one.startsAt <= startsAt;
  const period = periodsOf(chain).findLast(isOfPeriod);
  return period && startsAt < (period.expiresAt ?? Infinity) ? period.startsAt : startsAt;
}

/** Of a period that renewed one of before, which the store names and need not tell of, that one's purchase. */
const activeSince = (first: TransactionFact): number => Math.min(first.startsAt, originallyPurchasedAt(first));

const renewsNothing: ReadonlySet<TransactionFact['phase']> = new Set(['prorated', 'trial']);

/**
 * What bridges a change, as for more pieces of it, is paid for the rest of a period and renews none, nor does another plan that
 * begins in the middle of one; and what makes a trial longer, as at Stripe, is no renewal either.
 */
function renewedAt(bought: readonly TransactionFact[], now: number): number | null {
  const isRenewed = ({ originallyPurchasedAt, isInArrears }: TransactionFact, index: number) =>
    index > 0 || originallyPurchasedAt !== undefined || isInArrears === true;
  const isChanged = (period: TransactionFact, former: TransactionFact | undefined) =>
    period.isPlanChange === true || (former !== undefined && tookPlaceOf(former, period));
  const renewals = bought
    .filter((period, index) => isRenewed(period, index) && !isChanged(period, bought[index - 1]))
    .filter(({ phase }) => !renewsNothing.has(phase));
  const times = renewals.map(
    ({ isInArrears, startsAt, expiresAt }) => (isInArrears ? expiresAt : startsAt) ?? startsAt,
  );
  return times.findLast((time) => time <= now) ?? null;
}

/** The access for life that a one-time purchase gives, or gave, its owner. */
export function lifetimeAccess(chain: Chain, bought: TransactionFact): Access | null {
  const entry = lifetimeEntry(chain, bought);
  if (!entry || entry.isActive) return entry && { entry, until: Infinity };
  return { entry, until: Math.min(endedEarly(chain, bought.transactionId), returnedAt(chain, bought)) };
}

function lifetimeEntry(chain: Chain, bought: TransactionFact): AccessEntry | null {
  if (!chain.store || !chain.chainId) return null;
  const isReturned = returnedAt(chain, bought) < Infinity;
  const isRefund = isReturned || isRefunded(chain, bought.transactionId);
  const isActive = !isReturned && !isWithdrawn(chain, bought.transactionId) && chain.replacedAt === null;
  return {
    createdDate: iso(bought.purchasedAt),
    id: integerOf(chain.chainId),
    isActive,
    sourceProductId: bought.productId,
    sourceBasePlanId: bought.basePlanId,
    store: chain.store,
    activatedAt: iso(bought.purchasedAt),
    isLifetime: true,
    isRefund,
    willRenew: false,
    isInGracePeriod: false,
    cancellationReason: isActive ? null : isRefund ? 'refund' : 'unknown',
    offerId: bought.offerId,
    startsAt: iso(bought.startsAt),
    renewedAt: null,
    expiresAt: null,
    ...offerOf(null),
    unsubscribedAt: null,
    billingIssueDetectedAt: null,
  };
}

function offerOf(current: TransactionFact | null) {
  const offer = current?.offer ?? introductionOf(current);
  const isPromotion = offer?.kind === 'promotional';
  return {
    activeIntroductoryOfferType: isPromotion ? null : (offer?.type ?? null),
    activePromotionalOfferType: isPromotion ? offer.type : null,
    activePromotionalOfferId: isPromotion ? (current?.offerId ?? null) : null,
  };
}

const introductionOf = (current: TransactionFact | null): Offer | null =>
  current?.phase === 'trial' ? { kind: 'introductory', type: 'free_trial' } : null;

/** A whole number that a JSON reader can hold exactly, the same for a chain at all times: its first 48 bits. */
const integerOf = (chainId: string): number => Number.parseInt(chainId.replaceAll('-', '').slice(0, 12), 16);

export const iso = (time: number): string => new Date(time).toISOString();
const isoOrNull = (time: number | null): string | null => (time === null ? null : iso(time));
