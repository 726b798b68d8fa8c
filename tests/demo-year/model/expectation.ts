import { givesAccess, monthsOf, storeProductId, type Store, type SubscriptionProduct } from '../plan/market.ts';
import { plusDays, toldInSteps, type Instant } from './instant.ts';
import { livedUntil, nextPeriod, type Life, type Movement } from './life.ts';
import { storeRules } from './store-rules.ts';
import { movementsOf, type OneTime, type Purchase, type Subscription } from './purchase.ts';

/** In the order in which they count where a profile has several subscriptions. */
export const states = [
  'subscribed',
  'active-trial',
  'grace-period',
  'auto-renew-off',
  'billing-issue',
  'trial-cancelled',
  'subscription-cancelled',
  'never-subscribed',
] as const;
export type State = (typeof states)[number];

export interface ExpectedSubscription {
  readonly storeProductId: string;
  readonly isActive: boolean;
  readonly willRenew: boolean;
  readonly isInGracePeriod: boolean;
  /** Any of these; empty: the documents do not say. */
  readonly expiresAt: readonly Instant[];
  /** Calendar months from its start to its end, where that is one whole paid period. */
  readonly months: number | null;
}

export interface ExpectedMovement extends Movement {
  readonly store: Store;
  readonly currency: string;
  readonly isSandbox: boolean;
}

/** What the API should say of a profile. */
export interface Expectation {
  readonly state: State;
  readonly paid: boolean;
  /** null: none; `until` null: for life, else any of these. */
  readonly access: { readonly until: readonly Instant[] | null } | null;
  /** Others may be listed as well, if they are not active. */
  readonly subscriptions: readonly ExpectedSubscription[];
  readonly oneTimes: readonly { readonly storeProductId: string; readonly isRefund: boolean }[];
  readonly ledger: readonly ExpectedMovement[];
}

/** A subscription as one profile sees it; `isLost`: another profile has it now. */
interface Seen {
  readonly life: Life;
  readonly isSandbox: boolean;
  readonly isShared: boolean;
  readonly isLost: boolean;
}

function seenBy(profile: string, { life, isSandbox, isShared, owner, lost }: Subscription): readonly Seen[] {
  const taken = lost.filter((loss) => loss.profile === profile);
  if (owner === profile) return [{ life, isSandbox, isShared, isLost: false }];
  return taken.map((loss) => ({ life: loss.life, isSandbox, isShared, isLost: true }));
}

const isEntitled = ({ life: { standing }, isLost }: Seen): boolean =>
  !isLost && (standing === 'running' || standing === 'grace');

function stateOf({ life, isLost }: Seen): State {
  const { standing, isTrial, hasPaid, willRenew } = life;
  if (isLost || standing === 'ended' || standing === 'paused')
    return hasPaid ? 'subscription-cancelled' : 'trial-cancelled';
  if (standing === 'grace') return 'grace-period';
  if (standing === 'retry') return 'billing-issue';
  if (!willRenew) return 'auto-renew-off';
  return isTrial ? 'active-trial' : 'subscribed';
}

/**
 * In grace, and after one in vain, the documents allow either end: that of the paid period or that of the grace. At
 * the payment processor the period that is not paid is the current one.
 */
function expiryOf(life: Life): readonly Instant[] {
  const { standing, end, reason, isCutShort } = life;
  if (isCutShort) return [];
  const { graceDays, billsAhead, stepMs } = storeRules[life.store];
  const hadGrace = standing === 'grace' || standing === 'retry' || reason === 'billing_error';
  const isAhead = billsAhead && standing === 'grace';
  const ends = isAhead ? [nextPeriod(life).end] : hadGrace ? [end, plusDays(end, graceDays)] : [end];
  return ends.map((each) => toldInSteps(each, stepMs));
}

/** The subscription, and what was sold with it, which runs as it does. */
function expectedSubscriptions(seen: Seen): readonly ExpectedSubscription[] {
  const { terms } = seen.life;
  return [terms, ...(terms.extras ?? [])].map(({ product }) => expectedSubscription(seen, product));
}

function expectedSubscription(seen: Seen, product: SubscriptionProduct): ExpectedSubscription {
  const { life, isLost } = seen;
  const isActive = isEntitled(seen);
  return {
    storeProductId: storeProductId(life.store, product),
    isActive,
    willRenew: isActive && life.willRenew,
    isInGracePeriod: isActive && life.standing === 'grace',
    expiresAt: isLost ? [] : expiryOf(life),
    months: isActive && life.standing === 'running' && !life.isTrial ? monthsOf[life.terms.product] : null,
  };
}

/** Of several of a product the one that gives access the longest. */
function shownOf(seen: readonly Seen[]): readonly Seen[] {
  const longest = (one: Seen, other: Seen): Seen => {
    if (isEntitled(one) !== isEntitled(other)) return isEntitled(one) ? one : other;
    return one.life.end.latest > other.life.end.latest ? one : other;
  };
  const alike = Map.groupBy(seen, ({ life }) => life.terms.product);
  return [...alike.values()].map((all) => all.reduce(longest));
}

const isHeld = ({ product, isRefunded }: OneTime): boolean => givesAccess(product) && !isRefunded;

function accessOf(seen: readonly Seen[], held: readonly OneTime[]): Expectation['access'] {
  if (held.some(isHeld)) return { until: null };
  const lives = seen.filter(isEntitled).map(({ life }) => life);
  const longest = lives.toSorted((one, other) => other.end.latest - one.end.latest)[0];
  return longest ? { until: expiryOf(longest) } : null;
}

/** What a profile should have at `now` (milliseconds) of the purchases that it has or had a part in. */
export function expectationOf(profile: string, all: readonly Purchase[], now: number): Expectation {
  const purchases = all.map((purchase) =>
    purchase.kind === 'subscription' ? { ...purchase, life: livedUntil(purchase.life, now) } : purchase,
  );
  const seen = purchases.flatMap((purchase) => (purchase.kind === 'subscription' ? seenBy(profile, purchase) : []));
  const held = purchases.flatMap((one) => (one.kind === 'one_time' && one.owner === profile ? [one] : []));
  const production = seen.filter(({ isSandbox, isShared }) => !isSandbox && !isShared);
  const real = production.map(stateOf);
  return {
    state: states.find((state) => real.includes(state)) ?? 'never-subscribed',
    paid:
      production.some((one) => isEntitled(one) && !one.life.isTrial) ||
      held.some((one) => !one.isSandbox && isHeld(one)),
    access: accessOf(seen, held),
    subscriptions: shownOf(seen).flatMap(expectedSubscriptions),
    oneTimes: held.map((one) => ({
      storeProductId: storeProductId(one.store, one.product),
      isRefund: one.isRefunded,
    })),
    ledger: purchases.filter(({ payer }) => payer === profile).flatMap(expectedMovements),
  };
}

const storeOf = (purchase: Purchase): Store =>
  purchase.kind === 'subscription' ? purchase.life.store : purchase.store;

function expectedMovements(purchase: Purchase): readonly ExpectedMovement[] {
  const { currency, isSandbox } = purchase;
  return movementsOf(purchase).map((movement) => ({ ...movement, store: storeOf(purchase), currency, isSandbox }));
}
