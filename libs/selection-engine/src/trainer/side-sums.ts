import type { RateErrorsUsd } from '../value/rate-errors.ts';
import { held } from '../value/tally.ts';
import type { LateShare } from './delay-shares.ts';
import type { Side } from './learning-record.ts';

/** Exposures of one side and what they brought: sums and sums of squares, as a comparison needs them. */
export interface SideSums {
  readonly exposures: number;
  /** As many exposures as have the starts that are still to come of them, by their ages; 0 unless said. */
  readonly pending?: number;
  /** By what is not known for sure of how late starts come: what `pending` would be more by if more of them came late. */
  readonly pendingErrors?: Readonly<Record<string, number>>;
  readonly starts: number;
  readonly usd: number;
  readonly usdSquares: number;
  /** By rate: what `usd` would be more by if the rate were higher by its standard error. */
  readonly rateErrorsUsd: Readonly<Record<string, number>>;
}

/** AI against Baseline, drawn by one share of AI: other shares were other times, and are compared apart. */
export interface Stratum {
  readonly share: number;
  readonly ai: SideSums;
  readonly baseline: SideSums;
}

/** One of the share epochs' strata: the guard or a person changed the share when it began. */
export interface EpochStratum extends Stratum {
  /** Milliseconds since the epoch, 0 of the first. */
  readonly since: number;
}

/** To which comparison an exposure belongs. */
export interface ComparedExposure {
  readonly side: Side;
  readonly share: number;
  readonly since: number;
}

/** What a start is thought to bring, of which exposure, and to which comparison that belongs. */
export interface Payout extends ComparedExposure {
  /** The same number of all its starts, below the count of payouts. */
  readonly exposure: number;
  readonly usd: number;
  /** Until the next payout. */
  readonly rateErrors: RateErrorsUsd;
}

/** An exposure of which starts are still to come: until the next one. */
export interface YoungExposure extends ComparedExposure {
  /** The row of the variant that was shown. */
  readonly variant: number;
  /** The share of its late starts that has not come by now. */
  readonly open: number;
}

type Errors = 'rateErrorsUsd' | 'pendingErrors';
interface Sums extends Omit<{ -readonly [Key in keyof SideSums]-?: SideSums[Key] }, Errors> {
  rateErrorsUsd: Record<string, number>;
  pendingErrors: Record<string, number>;
}
const nothing = (): Sums => {
  return { exposures: 0, pending: 0, pendingErrors: {}, starts: 0, usd: 0, usdSquares: 0, rateErrorsUsd: {} };
};
const copyOf = ({ pending = 0, pendingErrors = {}, rateErrorsUsd, ...sums }: SideSums): Sums => {
  return { ...sums, pending, pendingErrors: { ...pendingErrors }, rateErrorsUsd: { ...rateErrorsUsd } };
};

interface BothSums {
  readonly ai: Sums;
  readonly baseline: Sums;
}

/** By rate: each start adds to some, and names are looked up when all is added. */
class ErrorSums {
  /** By number; 0 of one that was not met. */
  readonly #usd: number[] = [];
  /** In the order in which they were met. */
  readonly #met: number[] = [];

  add({ rates, usd }: RateErrorsUsd): void {
    for (let index = 0; index < rates.length; index++) {
      const more = usd[index]!;
      if (!(more > 0)) continue;
      const rate = rates[index]!;
      while (this.#usd.length <= rate) this.#usd.push(0);
      if (this.#usd[rate] === 0) this.#met.push(rate);
      this.#usd[rate]! += more;
    }
  }

  byName(names: readonly string[]): Record<string, number> {
    return Object.fromEntries(this.#met.map((rate): [string, number] => [names[rate]!, this.#usd[rate]!]));
  }
}

/** Sums by side, share and share epoch. */
export class Comparison {
  /** By share epoch, then by share: millions of exposures are counted anew, and a key made of both takes most of it. */
  readonly #epochs = new Map<number, Map<number, BothSums>>();
  /** What was asked for last: most exposures that follow each other are of one share and epoch. */
  #last: { readonly since: number; readonly share: number; readonly sums: BothSums } | null = null;

  constructor(strata: readonly EpochStratum[] = []) {
    for (const { since, share, ai, baseline } of strata) {
      this.#sharesOf(since).set(share, { ai: copyOf(ai), baseline: copyOf(baseline) });
    }
  }

  /** @param come the share of its starts that should have come by now */
  addExposure(exposure: ComparedExposure, come: number): void {
    const sums = this.#of(exposure);
    if (sums === null) return;
    sums.exposures++;
    sums.pending += 1 - come;
  }

  /**
   * Takes these for all exposures of which starts are still to come. What a variant's share of late ones may be off by is its
   * own; how late these are is alike, so that sides with the same share are moved alike by what nobody has seen of it.
   */
  recountPending(
    eachYoung: (take: (exposure: YoungExposure) => void) => void,
    lateOf: (variant: number) => LateShare,
  ): void {
    /** By variant's row; nothing of one that has none. */
    const openOf = new Map<Sums, (number | undefined)[]>();
    let [last, ofVariants]: [Sums | null, (number | undefined)[]] = [null, []];
    eachYoung((exposure) => {
      const sums = this.#of(exposure);
      if (sums === null) return;
      if (sums !== last) [last, ofVariants] = [sums, held(openOf, sums, () => [])];
      while (ofVariants.length <= exposure.variant) ofVariants.push(undefined);
      ofVariants[exposure.variant] = (ofVariants[exposure.variant] ?? 0) + exposure.open;
    });
    for (const sums of this.#sums()) {
      [sums.pending, sums.pendingErrors] = [0, {}];
      for (const [variant, open] of openOf.get(sums)?.entries() ?? []) {
        if (open === undefined) continue;
        const { share, error, young: byYoung } = lateOf(variant);
        sums.pending += share * open;
        sums.pendingErrors[`share/${variant}`] = error * open;
        sums.pendingErrors['age'] = (sums.pendingErrors['age'] ?? 0) + byYoung * share * open;
      }
    }
  }

  addStart(exposure: ComparedExposure): void {
    const sums = this.#of(exposure);
    if (sums !== null) sums.starts++;
  }

  /**
   * Takes these USD for all that were counted before. Squares are of exposures, of which one may have several starts.
   * @param count of payouts at most @param rates their names, which grow with payouts
   */
  recountUsd(payouts: Iterable<Payout>, count: number, rates: readonly string[]): void {
    const errorsOf = new Map<Sums, ErrorSums>();
    for (const sums of this.#sums()) [sums.usd, sums.usdSquares, sums.rateErrorsUsd] = [0, 0, {}];
    const broughtBy = new Float64Array(count);
    for (const payout of payouts) {
      const sums = this.#of(payout);
      if (sums === null) continue;
      const { exposure, usd } = payout;
      const before = broughtBy[exposure]!;
      broughtBy[exposure] = before + usd;
      sums.usd += usd;
      sums.usdSquares += usd * (usd + 2 * before);
      held(errorsOf, sums, () => new ErrorSums()).add(payout.rateErrors);
    }
    for (const [sums, errors] of errorsOf) sums.rateErrorsUsd = errors.byName(rates);
  }

  /** By epoch, then by rising share. */
  strata(): readonly EpochStratum[] {
    return rising(this.#epochs).flatMap(([since, shares]) =>
      rising(shares).map(([share, { ai, baseline }]) => ({ since, share, ai: copyOf(ai), baseline: copyOf(baseline) })),
    );
  }

  *#sums(): Generator<Sums> {
    for (const shares of this.#epochs.values()) for (const { ai, baseline } of shares.values()) yield* [ai, baseline];
  }

  #of({ side, share, since }: ComparedExposure): Sums | null {
    if (side === null) return null;
    if (this.#last?.since === since && this.#last.share === share) return this.#last.sums[side];
    const sums = held(this.#sharesOf(since), share, () => ({ ai: nothing(), baseline: nothing() }));
    this.#last = { since, share, sums };
    return sums[side];
  }

  #sharesOf(since: number): Map<number, BothSums> {
    let shares = this.#epochs.get(since);
    if (shares === undefined) this.#epochs.set(since, (shares = new Map<number, BothSums>()));
    return shares;
  }
}

const rising = <One>(byNumber: ReadonlyMap<number, One>) => [...byNumber].sort(([one], [other]) => one - other);
