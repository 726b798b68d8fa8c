import type { Chain } from '../chain/chain.ts';
import { numberOfCents } from '../money/decimal.ts';
import { type Access, type AccessEntry, lifetimeAccess, subscriptionAccess } from './access-entry.ts';
import { chainOf } from './chain-of.ts';
import {
  lifetimeLevel,
  nonSubscriptionsOf,
  type NonSubscriptionEntry,
  type OneTimePurchase,
  oneTimePurchases,
} from './non-subscriptions.ts';
import { counts, paysFor, type ProfileState, profileStateOf } from './profile-state.ts';
import { revenueUsdMicros } from './revenue.ts';
import { type SoldProducts, soldProduct } from './sold-product.ts';

/** The part of the v1 profile that tells what was bought. */
export interface PurchaseView {
  readonly paid: boolean;
  readonly state: ProfileState;
  readonly totalRevenueUsd: number;
  readonly accessLevels: Readonly<Record<string, AccessEntry>>;
  readonly subscriptions: Readonly<Record<string, AccessEntry>>;
  readonly nonSubscriptions: Readonly<Record<string, NonSubscriptionEntry>>;
}

/**
 * What a profile has, pays and has paid, at `now` (milliseconds).
 * @param chains those that it owns, owned, or pays for, in any order
 * @param products of the app's catalog: what it does not know grants no access
 */
export function purchaseViewOf(
  profileId: string,
  chains: readonly Chain[],
  products: SoldProducts,
  now: number,
): PurchaseView {
  const held = chains
    .filter(({ owner, formerOwners }) => owner === profileId || formerOwners.includes(profileId))
    .map((chain) => chainOf(profileId, chain));
  const subscriptions = held
    .flatMap((chain) => subscriptionAccess(chain, profileId, now))
    .map((access) => ({ ...access, level: levelOf(access.entry, products) }));
  const oneTime = oneTimePurchases(profileId, held, products);
  const lifetimes = oneTime.flatMap((purchase) => {
    const level = lifetimeLevel(purchase);
    const access = level === null ? null : lifetimeAccess(purchase.chain, purchase.bought);
    return access ? { ...access, level, purchase } : [];
  });
  return {
    paid: held.some((chain) => paysFor(chain, profileId, now)) || lifetimes.some(countsAsPaid),
    state: profileStateOf(profileId, held, now),
    totalRevenueUsd: numberOfCents(revenueUsdMicros(profileId, chains)),
    accessLevels: bestBy([...subscriptions, ...lifetimes], ({ level }) => level),
    subscriptions: bestBy(subscriptions, ({ entry }) => entry.sourceProductId),
    nonSubscriptions: nonSubscriptionsOf(oneTime),
  };
}

function levelOf(entry: AccessEntry, products: SoldProducts): string | null {
  const { store, sourceProductId: productId, sourceBasePlanId: basePlanId } = entry;
  return soldProduct(products, store, { productId, basePlanId })?.accessLevel ?? null;
}

const countsAsPaid = ({ entry, purchase }: { readonly entry: AccessEntry; readonly purchase: OneTimePurchase }) =>
  entry.isActive && counts(purchase.chain) && !purchase.bought.isFamilyShared;

/** Of each key the entry that gives access, and of several the one that gives it longest; if none does, the one that gave it last. */
function bestBy<T extends Access>(
  candidates: readonly T[],
  keyOf: (candidate: T) => string | null,
): Readonly<Record<string, AccessEntry>> {
  const best = new Map<string, T>();
  for (const candidate of candidates) {
    const key = keyOf(candidate);
    if (key === null) continue;
    const known = best.get(key);
    if (!known || isBetter(candidate, known)) best.set(key, candidate);
  }
  return Object.fromEntries([...best].map(([key, { entry }]) => [key, entry]));
}

function isBetter({ entry: a, until: aUntil }: Access, { entry: b, until: bUntil }: Access): boolean {
  if (a.isActive !== b.isActive) return a.isActive;
  if (a.isActive && a.isLifetime !== b.isLifetime) return a.isLifetime;
  return aUntil === bUntil ? a.id > b.id : aUntil > bUntil;
}
