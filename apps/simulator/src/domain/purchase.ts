import { plus } from './amounts.ts';

/** The stores, by the names that they have in the simulator's addresses. */
export const storeNames = ['app-store', 'play-store', 'stripe'] as const;
export type StoreName = (typeof storeNames)[number];

/** What is sold: the product, and what each of its periods costs. Times are milliseconds since the epoch throughout. */
export interface Terms {
  /** At Stripe the product that the price belongs to. */
  readonly productId: string;
  /** Play's base plan, Stripe's price; null at the App Store. */
  readonly planId: string | null;
  /** Decimal text, in the purchase's currency. */
  readonly price: string;
  /** ISO 8601 duration. */
  readonly period: string;
  /** What is sold and paid with it, for the same periods. Play and Stripe alone. */
  readonly addOns?: readonly AddOn[];
}

export type AddOn = Pick<Terms, 'productId' | 'planId' | 'price'>;

/** What a period costs with its add-ons, as decimal text. @param price of the period without them */
export const withAddOns = (price: string, { addOns = [] }: Terms): string =>
  addOns.reduce((sum, addOn) => plus(sum, addOn.price), price);

/** An introduction: what the first period is, in place of a regular one. */
export interface Offer {
  readonly id: string | null;
  readonly phase: 'trial' | 'intro';
  /** Apple's word for it. */
  readonly discountType: 'FREE_TRIAL' | 'PAY_UP_FRONT' | 'PAY_AS_YOU_GO';
  /** Decimal text; 0 for a trial. */
  readonly price: string;
  readonly period: string;
}

export interface Refund {
  readonly at: number;
  /** Decimal text. */
  readonly amount: string;
  readonly reversedAt: number | null;
}

/** A payment that the customer's bank asks back. What is lost is given back; `outcome` is null while nobody has decided. */
export interface Dispute {
  readonly at: number;
  /** Decimal text. */
  readonly amount: string;
  readonly outcome: 'lost' | 'won' | null;
}

/** What was paid of an invoice in another way than by the charge that pays the rest: a bank transfer, say. */
export interface PartPayment {
  readonly at: number;
  /** Decimal text. */
  readonly amount: string;
}

/** What was paid for at once: the store's transaction, order or invoice. */
export interface Period {
  /** 0, 1, 2 … in its purchase. */
  readonly number: number;
  readonly terms: Terms;
  readonly phase: 'trial' | 'intro' | 'regular';
  readonly startsAt: number;
  /** Null for what is bought once. */
  readonly endsAt: number | null;
  readonly paidAt: number;
  /** Decimal text. */
  readonly amount: string;
  readonly refunds: readonly Refund[];
  /** Stripe alone. */
  readonly dispute?: Dispute;
  /** What of `amount` was paid before the rest. Stripe alone. */
  readonly partPayments?: readonly PartPayment[];
  readonly isUpgraded: boolean;
  /** Where it was paid, if not under this purchase: by that order of a plan that another is to replace. Play alone. */
  readonly carried?: CarriedOrder;
  /** Whether the customer bought it after the subscription was over, and no renewal did. App Store alone. */
  readonly isBoughtAgain?: boolean;
}

/** An order of another purchase token: the first is 0. */
export interface CarriedOrder {
  readonly token: string;
  readonly number: number;
  /** When the present purchase was made, which goes on with it. */
  readonly since: number;
}

export type EndReason = 'voluntary' | 'billing' | 'price-increase' | 'other' | 'refund' | 'revoked' | 'replaced';

/** `running`, and from the end of a period that could not be paid: `grace` (with access), `retry` (without). */
export type Standing = 'running' | 'grace' | 'retry' | 'paused' | 'ended';

/** How a store waits for its money: ISO 8601 durations, null for not at all. */
export interface Waits {
  /** With access, from the end of the paid period. */
  readonly grace: string | null;
  /** Without access, after the grace. */
  readonly retry: string | null;
}

/** One purchase, as its store has it. */
export interface Purchase {
  readonly store: StoreName;
  /** The store's own: original transaction id, purchase token, subscription or payment intent id. */
  readonly id: string;
  readonly kind: 'subscription' | 'one-time';
  readonly appId: number;
  readonly environment: 'production' | 'sandbox';
  readonly currency: string;
  /** Storefront at Apple, region at Google. */
  readonly country: string | null;
  /** What the app wrote to recognise the buyer by; Stripe has metadata in its place. */
  readonly account: string | null;
  readonly metadata: Readonly<Record<string, string>>;
  readonly customerId: string | null;
  readonly offer: Offer | null;
  readonly isConsumable: boolean;
  /** How many pieces were bought once, each at the price of the terms. Absent: one. App Store and Play. */
  readonly quantity?: number;
  readonly isFamilyShared: boolean;

  readonly terms: Terms;
  /** From the next renewal on. */
  readonly nextTerms: Terms | null;
  /** A rise of the price that the customer has not agreed to: at the renewal the subscription ends. */
  readonly awaitsConsent: boolean;
  /** Renewals are counted from here, so that a short month moves no later one. */
  readonly anchor: { readonly at: number; readonly periods: number };
  readonly standing: Standing;
  /** When grace, retry or pause are over by themselves. */
  readonly until: number | null;
  readonly waits: Waits;
  readonly willRenew: boolean;
  readonly chargesFail: boolean;
  /** How long the pause is that begins with the end of this period. */
  readonly pausesFor: string | null;
  readonly cancelledAt: number | null;
  readonly endedAt: number | null;
  readonly endReason: EndReason | null;
  readonly periods: readonly [Period, ...Period[]];
  /** What was paid of the period that is owed, or was when the subscription ended. Stripe alone. */
  readonly partPayments?: readonly PartPayment[];
  /** The purchase token that this one took the place of, and the one that took its place. Play alone. */
  readonly replaces: string | null;
  readonly replacedBy: string | null;
  /** Whether the app's server has confirmed it. Play alone. */
  readonly isAcknowledged: boolean;
  /** How many pieces of news there were: makes the ids of notifications. */
  readonly newsCount: number;
  /** Whether the store tells the app's server of it. */
  readonly notifies: boolean;
}

export const lastPeriod = ({ periods }: Purchase): Period => periods.at(-1)!;

/** The purchase with a change of its period in that place. */
export function withPeriodAt(purchase: Purchase, index: number, change: Partial<Period>): Purchase {
  const [first, ...rest] = purchase.periods;
  const changed = (period: Period, at: number) => (at === index ? { ...period, ...change } : period);
  return { ...purchase, periods: [changed(first, 0), ...rest.map((period, at) => changed(period, at + 1))] };
}

export type NewsType =
  | 'bought'
  | 'renewed'
  | 'bought-again'
  | 'recovered'
  | 'billing-failed'
  | 'part-paid'
  | 'grace-ended'
  | 'ended'
  | 'cancelled'
  | 'uncancelled'
  | 'refunded'
  | 'refund-reversed'
  | 'disputed'
  | 'dispute-closed'
  | 'revoked'
  | 'upgraded'
  | 'downgraded'
  | 'pause-scheduled'
  | 'paused'
  | 'resumed'
  | 'price-increased';

/** Something that the store tells of. */
export interface News {
  readonly type: NewsType;
  readonly at: number;
  /** Ordinal among all the purchase's news. */
  readonly ordinal: number;
  /** The number of the period that it is about. */
  readonly period: number;
}

/** A purchase after something happened to it, and what the store has to tell of that, if anything. */
export interface Happening {
  readonly purchase: Purchase;
  readonly news: News | null;
}
