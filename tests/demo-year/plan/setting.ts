import { uniform } from '@paywright/selection-engine';
import { dayMs, monthsLater } from '../model/instant.ts';
import {
  monthsOf,
  prices,
  raisedPrices,
  trialDays,
  type Currency,
  type Store,
  type SubscriptionProduct,
} from './market.ts';
import type { Terms } from '../model/life.ts';

/** What a story is told in: whose it is, when it begins, and the dice. */
export class Setting {
  readonly store: Store;
  readonly currency: Currency;
  readonly withTrial: boolean;
  /** Of the purchase. */
  readonly firstDay: number;
  readonly #startsAt: number;
  readonly #seed: string;

  constructor(fields: {
    store: Store;
    currency: Currency;
    withTrial: boolean;
    firstDay: number;
    startsAt: number;
    seed: string;
  }) {
    this.store = fields.store;
    this.currency = fields.currency;
    this.withTrial = fields.withTrial;
    this.firstDay = fields.firstDay;
    this.#startsAt = fields.startsAt;
    this.#seed = fields.seed;
  }

  /** A whole number from `least` to `most`. */
  between(purpose: string, least: number, most: number): number {
    return least + Math.floor(uniform(this.#seed, purpose) * (most - least + 1));
  }

  terms(product: SubscriptionProduct): Terms {
    return { product, price: prices[product][this.currency] };
  }

  raised(): Terms {
    return { product: 'monthly', price: raisedPrices[this.currency] };
  }

  /** The day on which the n-th paid period of a product is over; 0: on which the first begins. */
  endOfPeriod(n: number, product: SubscriptionProduct = 'monthly'): number {
    const paidFrom = this.#startsAt + (this.firstDay + (this.withTrial ? trialDays : 0)) * dayMs;
    return Math.round((monthsLater(paidFrom, n * monthsOf[product]) - this.#startsAt) / dayMs);
  }

  /** That day, or the next one that every month has: what begins on it ends on it. */
  sound(day: number): number {
    return isSoundDay(this.#startsAt, day) ? day : this.sound(day + 1);
  }
}

/** Every month has 28: one less, for the hours that a run itself takes. */
const soundUntil = 27;

export const isSoundDay = (startsAt: number, day: number): boolean =>
  new Date(startsAt + day * dayMs).getUTCDate() <= soundUntil;
