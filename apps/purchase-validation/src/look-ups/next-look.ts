import type { Observation, Store, SubscriptionFact } from '@paywright/contracts';
import { costsSomething, subscriptionsOf } from '@paywright/purchases';
import type { StoreFaultKind } from '@paywright/stores';
import type { Unsettled } from './look-up-subject.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
/** How long a store's own news of a period's end may take. */
const newsMs = 10 * minuteMs;
/**
 * Google keeps no purchase longer than 60 days behind its end, and most periods are a month; a refund at Stripe fails
 * within 30 days.
 */
export const longestUnsettledMs = 60 * dayMs;
export const longestPauseMs = 6 * hourMs;
/** What a newer release wrote waits so long: while that one is rolled out, an instance of it may be next. */
export const notReadPauseMs = 5 * minuteMs;
const firstPauseMs = 30_000;
const mostTriesOfUnknown = longestUnsettledMs / longestPauseMs;

/**
 * Google keeps no list of its news but of what was voided: what it tells nobody, or what was lost of it, shows the purchase
 * alone. Longer than a month, so that most plans are asked about no more often. One that ended is asked about so long behind its end,
 * once: its last payment may be given back afterwards; and so is what was bought once, behind its purchase.
 */
const longestUnseenOnPlayMs = 32 * dayMs;

/** How the store's word came: fetched now, or in a notification, which may be older than what is known. */
export type Way = 'fetched' | 'notified';

/**
 * When a chain is asked for again on our own, in milliseconds: behind the end of what the store told, where news must
 * have come; at most hourly, and daily where only the store can end it. null: nothing more is to come of it.
 */
export function nextLook(said: Said, now: number, by: Way): number | null {
  const { store } = said;
  const looks = subscriptionsOf(said).flatMap((one) => lookAfter(one, { store, now, by }) ?? []);
  if (looks.length === 0) return lookAfterPurchase(said, now);
  const latest = store === 'play_store' ? now + longestUnseenOnPlayMs : Infinity;
  return Math.min(...looks, latest);
}

type Said = Pick<Observation, 'store' | 'environment' | 'subscription' | 'addOns' | 'transactions'>;

/** Of what was paid for once on Play: the seller may have given it back. */
function lookAfterPurchase({ store, environment, transactions }: Said, now: number): number | null {
  if (store !== 'play_store' || environment !== 'production') return null;
  const paid = transactions.filter((bought) => bought.kind === 'one_time' && costsSomething(bought));
  const looks = paid.map(({ purchasedAt }) => purchasedAt + longestUnseenOnPlayMs).filter((lookAt) => lookAt > now);
  return looks.length > 0 ? Math.min(...looks) : null;
}

interface Told {
  readonly store: Store;
  readonly now: number;
  readonly by: Way;
}

function lookAfter(subscription: SubscriptionFact, { store, now, by }: Told): number | null {
  const { status, expiresAt, graceExpiresAt, isOpenEnded } = subscription;
  const end = graceExpiresAt ?? expiresAt;
  if (status === 'expired' || status === 'revoked') {
    if (by === 'notified') return now + hourMs;
    const lastOnPlay = (end ?? 0) + longestUnseenOnPlayMs;
    return store === 'play_store' && lastOnPlay > now ? lastOnPlay : null;
  }
  if (end === null || isOpenEnded || end <= now) return now + dayMs;
  return Math.max(end + newsMs, now + hourMs);
}

/**
 * When what is not settled is asked for again. null: it is given up. So an account that may not see orders costs a dozen
 * looks for each of them.
 */
export function nextLookAtUnsettled({ since, pauseAfterMs }: Omit<Unsettled, 'name'>, now: number): number | null {
  const unsettledMs = now - since;
  return unsettledMs > longestUnsettledMs ? null : now + pauseAfterMs(unsettledMs);
}

/**
 * When a store that did not answer is asked again: twice as long a pause each time, up to six hours. null: it has not told
 * anything for two months, and says that it does not know what it is asked about.
 */
export function nextTry(attempts: number, now: number, fault: StoreFaultKind): number | null {
  if (fault === 'not-found' && attempts >= mostTriesOfUnknown) return null;
  return now + Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(attempts, 20));
}
