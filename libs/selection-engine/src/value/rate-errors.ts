import type { LedgerRow } from './ledger-row.ts';
import type { LtvTables } from './ltv-tables.ts';
import type { SideRates } from './side-rates.ts';
import type { SlopesOfRows } from './slopes-of-rows.ts';
import { held, renewalSteps } from './tally.ts';

/**
 * What a label would be more by (of refunds less) if a rate were higher by its standard error.
 * @see RateErrors
 */
export interface RateErrorsUsd {
  /** Rates of renewal, of trials or of refunds, of which product, and of which side's starts where it is theirs alone: places in `names`. */
  readonly rates: readonly number[];
  /** Of each; only what is above 0 counts. */
  readonly usd: ArrayLike<number>;
}

/** Of a product and a plan, which all their rows share: how far rates may be off, and how much the next step's follow. */
interface RatesOf {
  /** By step, then trials, then refunds; of all starts, then of the side's own. */
  readonly rates: readonly number[];
  readonly errors: readonly number[];
  /** By step; of all starts, then of the side's own. */
  readonly followed: readonly number[];
}

const steps = renewalSteps.length;
const ratesOfEach = steps + 2;

/**
 * How far labels of rows hang on rates that are not known for sure: on those of all starts of a product, which move both
 * sides alike, and on how far those of their own side may be off them. What is charged counts as known.
 */
export class RateErrors {
  /** Of rates, by their numbers. */
  readonly names: string[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #tables: LtvTables;
  readonly #ofSides: Readonly<Record<'ai' | 'baseline', SideRates>>;
  /** By side, by product, by plan. */
  readonly #rates = { ai: new Map<string, Map<string, RatesOf>>(), baseline: new Map<string, Map<string, RatesOf>>() };
  readonly #usd = new Float64Array(2 * ratesOfEach);

  /** @param ofSides rates of their starts */
  constructor(tables: LtvTables, ofSides: Readonly<Record<'ai' | 'baseline', SideRates>>) {
    this.#tables = tables;
    this.#ofSides = ofSides;
  }

  /** Of a row, the index-th of those that the slopes are of. Its USD are one array, written anew by every call. */
  of({ product, plan }: LedgerRow, side: 'ai' | 'baseline', slopes: SlopesOfRows, index: number): RateErrorsUsd {
    const { rates, errors, followed } = this.#rates[side].get(product)?.get(plan) ?? this.#learn(product, plan, side);
    const usd = this.#usd;
    for (let each = 0; each < 2; each++) {
      const first = each * ratesOfEach;
      for (let step = 0; step < steps; step++) {
        const slope = slopes.renewal(index, step) + followed[each * steps + step]! * slopes.renewal(index, step + 1);
        usd[first + step] = slope * errors[first + step]!;
      }
      usd[first + steps] = slopes.trial(index) * errors[first + steps]!;
      usd[first + steps + 1] = slopes.refund(index) * errors[first + steps + 1]!;
    }
    return { rates, usd };
  }

  #learn(product: string, plan: string, side: 'ai' | 'baseline'): RatesOf {
    const ofProduct = held(this.#rates[side], product, () => new Map<string, RatesOf>());
    return held(ofProduct, plan, () => this.#ratesOf(product, plan, side));
  }

  #ratesOf(product: string, plan: string, side: 'ai' | 'baseline'): RatesOf {
    const both = [this.#tables, this.#ofSides[side]];
    const renewals = renewalSteps.map((name) => `${name}-renewal/${plan}/${product}`);
    const names = [...renewals, `trial/${product}`, `refund/${product}`];
    return {
      rates: [...names, ...names.map((name) => `${side}/${name}`)].map((name) => this.#numberOf(name)),
      errors: both.flatMap((of) => [
        ...renewalSteps.map((_, step) => of.renewalError(product, plan, 1 + step)),
        of.trialError(product),
        of.refundError(product),
      ]),
      followed: both.flatMap((of) => renewalSteps.map((_, step) => of.renewalFollowed(product, plan, 1 + step))),
    };
  }

  #numberOf(name: string): number {
    return held(this.#numbers, name, () => this.names.push(name) - 1);
  }
}
