import type { RateError } from '../value/label-starts.ts';
import type { Side } from './learning-record.ts';

/** Exposures of one side and what they brought: sums and sums of squares, as a comparison needs them. */
export interface SideSums {
  readonly exposures: number;
  /** As many exposures as have the starts that are still to come of them, by their ages; 0 unless said. */
  readonly pending?: number;
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
  readonly exposure: string;
  readonly usd: number;
  readonly rateErrors: readonly RateError[];
}

interface Sums extends Omit<{ -readonly [Key in keyof SideSums]-?: SideSums[Key] }, 'rateErrorsUsd'> {
  rateErrorsUsd: Record<string, number>;
}
const nothing = (): Sums => ({ exposures: 0, pending: 0, starts: 0, usd: 0, usdSquares: 0, rateErrorsUsd: {} });
const copyOf = ({ pending = 0, ...sums }: SideSums): Sums => ({
  ...sums,
  pending,
  rateErrorsUsd: { ...sums.rateErrorsUsd },
});

/** Sums by side, share and share epoch. */
export class Comparison {
  readonly #strata = new Map<string, { since: number; share: number; ai: Sums; baseline: Sums }>();

  constructor(strata: readonly EpochStratum[] = []) {
    for (const { since, share, ai, baseline } of strata) {
      this.#strata.set(`${since}/${share}`, { since, share, ai: copyOf(ai), baseline: copyOf(baseline) });
    }
  }

  /** @param come the share of its starts that should have come by now */
  addExposure(exposure: ComparedExposure, come: number): void {
    const sums = this.#of(exposure);
    if (sums === null) return;
    sums.exposures++;
    sums.pending += 1 - come;
  }

  /** Takes these for all exposures of which starts are still to come. @param young with the share that should have come by now */
  recountPending(young: Iterable<ComparedExposure & { readonly come: number }>): void {
    for (const { ai, baseline } of this.#strata.values()) for (const sums of [ai, baseline]) sums.pending = 0;
    for (const { come, ...compared } of young) {
      const sums = this.#of(compared);
      if (sums !== null) sums.pending += 1 - come;
    }
  }

  addStart(exposure: ComparedExposure): void {
    const sums = this.#of(exposure);
    if (sums !== null) sums.starts++;
  }

  /** Takes these USD for all that were counted before. Squares are of exposures, of which one may have several starts. */
  recountUsd(payouts: Iterable<Payout>): void {
    for (const { ai, baseline } of this.#strata.values()) {
      for (const sums of [ai, baseline]) [sums.usd, sums.usdSquares, sums.rateErrorsUsd] = [0, 0, {}];
    }
    const broughtBy = new Map<string, number>();
    for (const { exposure, usd, rateErrors, ...compared } of payouts) {
      const sums = this.#of(compared);
      if (sums === null) continue;
      const before = broughtBy.get(exposure) ?? 0;
      broughtBy.set(exposure, before + usd);
      sums.usd += usd;
      sums.usdSquares += usd * (usd + 2 * before);
      for (const error of rateErrors)
        sums.rateErrorsUsd[error.rate] = (sums.rateErrorsUsd[error.rate] ?? 0) + error.usd;
    }
  }

  /** By epoch, then by rising share. */
  strata(): readonly EpochStratum[] {
    const rising = [...this.#strata.values()].sort((one, other) => one.since - other.since || one.share - other.share);
    return rising.map(({ since, share, ai, baseline }) => ({
      since,
      share,
      ai: copyOf(ai),
      baseline: copyOf(baseline),
    }));
  }

  #of({ side, share, since }: ComparedExposure): Sums | null {
    if (side === null) return null;
    const key = `${since}/${share}`;
    const known = this.#strata.get(key);
    if (known !== undefined) return known[side];
    const fresh = { since, share, ai: nothing(), baseline: nothing() };
    this.#strata.set(key, fresh);
    return fresh[side];
  }
}
