import type { Instant } from './instant.ts';
import type { Life, Movement } from './life.ts';
import type { OneTimeProduct, Store } from '../plan/market.ts';

/** Whose a purchase is. Access is the owner's, money the payer's; nobody is either before somebody is known. */
interface Ownership {
  readonly currency: string;
  readonly isSandbox: boolean;
  /** Profile ids. */
  readonly payer: string | null;
  readonly owner: string | null;
}

export interface Subscription extends Ownership {
  readonly kind: 'subscription';
  readonly life: Life;
  /** By a family: it gives access, and that is all. */
  readonly isShared: boolean;
  /** Those it was taken from, and how it stood in that moment. */
  readonly lost: readonly { readonly profile: string; readonly life: Life }[];
}

export interface OneTime extends Ownership {
  readonly kind: 'one_time';
  readonly store: Store;
  readonly product: OneTimeProduct;
  readonly isRefunded: boolean;
  readonly movements: readonly Movement[];
}

export type Purchase = Subscription | OneTime;

const nobodys = { payer: null, owner: null };

export const subscription = (life: Life, currency: string, isSandbox: boolean, isShared = false): Subscription => ({
  ...{ kind: 'subscription', life, currency, isSandbox, isShared, lost: [] },
  ...nobodys,
});

export function oneTime(
  sold: { store: Store; product: OneTimeProduct; price: string; currency: string; isSandbox: boolean },
  at: Instant,
): OneTime {
  const { price, ...fields } = sold;
  const movements: readonly Movement[] = [{ type: 'charge', amount: price, charge: 0, at }];
  return { kind: 'one_time', ...fields, ...nobodys, isRefunded: false, movements };
}

export function oneTimeRefunded(purchase: OneTime, at: Instant): OneTime {
  const charge = purchase.movements.find(({ type }) => type === 'charge');
  if (purchase.isRefunded || !charge) return purchase;
  const refund: Movement = { type: 'refund', amount: `-${charge.amount}`, charge: 0, at };
  return { ...purchase, isRefunded: true, movements: [...purchase.movements, refund] };
}

export function movementsOf(purchase: Purchase): readonly Movement[] {
  if (purchase.kind === 'one_time') return purchase.movements;
  return purchase.isShared ? [] : purchase.life.movements;
}

/** A profile reports the purchase, or the store names it: the first one pays, the last one owns. */
export function claimed(purchase: Purchase, profile: string): Purchase {
  const { owner } = purchase;
  if (owner === profile) return purchase;
  const now = { payer: purchase.payer ?? profile, owner: profile };
  if (purchase.kind === 'one_time' || owner === null) return { ...purchase, ...now };
  const lost = purchase.lost.filter((loss) => loss.profile !== profile);
  return { ...purchase, ...now, lost: [...lost, { profile: owner, life: purchase.life }] };
}
