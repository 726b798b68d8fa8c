import { add, decimal, negated, textOf, zero, type Decimal } from './decimal.ts';
import { plusDays, plusMonths, type Instant } from './instant.ts';
import { monthsOf, trialDays, type SubscriptionProduct, type Store } from '../plan/market.ts';
import { storeRules } from './store-rules.ts';

/** What is sold for how much until the next change. */
export interface Terms {
  readonly product: SubscriptionProduct;
  /** Decimal text. */
  readonly price: string;
  /** What is sold and paid with it. */
  readonly extras?: readonly Pick<Terms, 'product' | 'price'>[];
}

const priceOf = ({ price, extras = [] }: Terms): string =>
  textOf([decimal(price), ...extras.map((extra) => decimal(extra.price))].reduce(add, zero));

export interface Movement {
  readonly type: 'charge' | 'refund' | 'refund_reversed';
  /** Signed decimal text: a refund is below zero. */
  readonly amount: string;
  /** Which charge of the same purchase it is, or takes back: 0, 1, 2 … */
  readonly charge: number;
  readonly at: Instant;
}

export type Reason = 'voluntarily_cancelled' | 'billing_error' | 'price_increase' | 'refund' | 'unknown';

/** One subscription as its store has it. */
export interface Life {
  readonly store: Store;
  readonly terms: Terms;
  /** From the next renewal on. */
  readonly nextTerms: Terms | null;
  readonly isTrial: boolean;
  readonly hasPaid: boolean;
  /** The current period; renewals count from the anchor, so that a short month moves no later one. */
  readonly anchor: Instant;
  readonly periods: number;
  readonly start: Instant;
  readonly end: Instant;
  readonly standing: 'running' | 'grace' | 'retry' | 'paused' | 'ended';
  /** When grace, retry or pause are over by themselves; null: not before someone acts. */
  readonly until: Instant | null;
  /** Whether the period's end was cut short, so that the end says nothing of access. */
  readonly isCutShort: boolean;
  readonly willRenew: boolean;
  readonly chargesFail: boolean;
  readonly pausesNext: boolean;
  /** Of a higher price: without it the subscription ends with its period. */
  readonly awaitsConsent: boolean;
  readonly reason: Reason | null;
  /** The charge that the customer disputes at the bank, until that is decided. */
  readonly disputed: number | null;
  readonly movements: readonly Movement[];
}

export function subscribed(store: Store, terms: Terms, withTrial: boolean, at: Instant): Life {
  const life: Life = {
    ...{ store, terms, nextTerms: null, isTrial: withTrial, hasPaid: false },
    ...{ anchor: at, periods: 0, start: at, end: at },
    ...{ standing: 'running', until: null, isCutShort: false, willRenew: true },
    ...{ chargesFail: false, pausesNext: false, awaitsConsent: false, reason: null },
    ...{ disputed: null, movements: [] },
  };
  return withTrial ? { ...life, end: plusDays(at, trialDays) } : periodFrom(life, at);
}

export const chargesOf = ({ movements }: Life): readonly Movement[] =>
  movements.filter(({ type }) => type === 'charge');

/** A paid period that begins now and from which later ones count. */
export function periodFrom(life: Life, at: Instant): Life {
  return nextPeriod({ ...life, anchor: at, periods: 0, end: at });
}

/** The period after the current one, paid at its beginning. */
export function nextPeriod(life: Life): Life {
  const terms = life.nextTerms ?? life.terms;
  const length = monthsOf[terms.product];
  const keepsRhythm = !life.isTrial && length === monthsOf[life.terms.product];
  const anchor = keepsRhythm ? life.anchor : life.end;
  const periods = keepsRhythm ? life.periods + 1 : 1;
  const renewed: Life = {
    ...life,
    ...{ terms, nextTerms: null, isTrial: false, hasPaid: true, anchor, periods },
    ...{ start: life.end, end: plusMonths(anchor, length * periods) },
    ...{ standing: 'running', until: null, isCutShort: false, reason: null },
  };
  return withMovement(renewed, {
    type: 'charge',
    amount: priceOf(terms),
    charge: chargesOf(life).length,
    at: renewed.start,
  });
}

export const withMovement = (life: Life, movement: Movement): Life => ({
  ...life,
  movements: [...life.movements, movement],
});

/** What is not yet given back of a charge. */
export function restOf({ movements }: Life, charge: number): Decimal {
  const amounts = movements.filter((movement) => movement.charge === charge).map(({ amount }) => decimal(amount));
  return amounts.reduce(add, zero);
}

/** Gives back all that is left of a charge. */
export function refunded(life: Life, charge: number, at: Instant): Life {
  const amount = textOf(negated(restOf(life, charge)));
  return withMovement(life, { type: 'refund', amount, charge, at });
}

const ended = (life: Life, reason: Reason): Life => ({
  ...life,
  standing: 'ended',
  until: null,
  willRenew: false,
  reason,
});

/** When the store moves next of its own accord; null: never. */
export function nextTurn({ standing, end, until }: Life): Instant | null {
  if (standing === 'ended') return null;
  return standing === 'running' ? end : until;
}

function turn(life: Life): Life {
  const rules = storeRules[life.store];
  if (life.standing === 'retry') return ended(life, 'billing_error');
  if (life.standing === 'paused') return periodFrom({ ...life, pausesNext: false }, life.until ?? life.end);
  if (life.standing === 'grace')
    return rules.retryDays === 0
      ? ended(life, 'billing_error')
      : { ...life, standing: 'retry', until: plusDays(life.end, rules.graceDays + rules.retryDays) };
  if (!life.willRenew) return ended(life, life.reason ?? 'voluntarily_cancelled');
  if (life.pausesNext) return { ...life, standing: 'paused', until: plusMonths(life.end, rules.pauseMonths) };
  if (life.awaitsConsent) return ended(life, 'price_increase');
  if (life.chargesFail) return { ...life, standing: 'grace', until: plusDays(life.end, rules.graceDays) };
  return nextPeriod(life);
}

/** Everything that fell due until `now`, in its order. */
export function livedUntil(life: Life, now: number): Life {
  const due = nextTurn(life);
  return due === null || due.latest > now ? life : livedUntil(turn(life), now);
}
