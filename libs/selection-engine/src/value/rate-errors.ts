import type { LedgerRow } from './ledger-row.ts';
import type { LtvTables } from './ltv-tables.ts';
import { slopesOf, type Slopes } from './project-value.ts';
import type { SideRates } from './side-rates.ts';
import { held, renewalSteps } from './tally.ts';

/**
 * Is told what a label would be more by (of refunds less) if a rate were higher by its standard error.
 * @param rate of renewal, of trials or of refunds, of which product, and of which side's starts where it is theirs alone
 */
export type TakeRateError = (rate: string, usd: number) => void;

/** A rate, how far it may be off, and by which slope that moves a label. */
interface Rate {
  readonly rate: string;
  readonly slope: (slopes: Slopes) => number;
  readonly error: number;
}

/**
 * How far labels of a side's rows hang on rates that are not known for sure: on those of all starts of a product, which
 * move both sides alike, and on how far those of its own side may be off them. What is charged counts as known.
 */
export class RateErrors {
  readonly #tables: LtvTables;
  readonly #horizonDays: number;
  readonly #side: 'ai' | 'baseline';
  readonly #ofSide: SideRates;
  /** By product, by plan, which all their rows share. */
  readonly #rates = new Map<string, Map<string, readonly Rate[]>>();

  /** @param ofSide rates of its starts */
  constructor(tables: LtvTables, horizonDays: number, side: 'ai' | 'baseline', ofSide: SideRates) {
    this.#tables = tables;
    this.#horizonDays = horizonDays;
    this.#side = side;
    this.#ofSide = ofSide;
  }

  /** Calls for each of a row's: a list would be made of every start. */
  each(row: LedgerRow, take: TakeRateError): void {
    const { product, plan } = row;
    const slopes = slopesOf(row, this.#tables, this.#horizonDays);
    const rates = this.#rates.get(product)?.get(plan) ?? this.#learnRates(product, plan);
    for (const { rate, slope, error } of rates) {
      const usd = slope(slopes) * error;
      if (usd > 0) take(rate, usd);
    }
  }

  #learnRates(product: string, plan: string): readonly Rate[] {
    const ofProduct = held(this.#rates, product, () => new Map<string, readonly Rate[]>());
    return held(ofProduct, plan, () => this.#ratesOf(product, plan));
  }

  #ratesOf(product: string, plan: string): readonly Rate[] {
    const [tables, ofSide, side] = [this.#tables, this.#ofSide, this.#side];
    const ofAll = ratesOf(tables, product, plan);
    const own = ratesOf(ofSide, product, plan).map((one) => ({ ...one, rate: `${side}/${one.rate}` }));
    return [...ofAll, ...own];
  }
}

function ratesOf(errors: LtvTables | SideRates, product: string, plan: string): readonly Rate[] {
  const followed = renewalSteps.map((_, step) => errors.renewalFollowed(product, plan, 1 + step));
  const renewals = renewalSteps.map((name, step) => ({
    rate: `${name}-renewal/${plan}/${product}`,
    slope: ({ renewals }: Slopes) => renewals[step]! + followed[step]! * (renewals[step + 1] ?? 0),
    error: errors.renewalError(product, plan, 1 + step),
  }));
  return [
    ...renewals,
    { rate: `trial/${product}`, slope: ({ trial }) => trial, error: errors.trialError(product) },
    { rate: `refund/${product}`, slope: ({ refund }) => refund, error: errors.refundError(product) },
  ];
}
