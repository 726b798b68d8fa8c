import type { Side } from './learning-record.ts';

/** Exposures of one side and what they brought: sums and sums of squares, as a comparison needs them. */
export interface SideSums {
  readonly exposures: number;
  readonly starts: number;
  readonly usd: number;
  readonly usdSquares: number;
}

/** AI against Baseline, drawn by one share of AI: other shares were other times, and are compared apart. */
export interface Stratum {
  readonly share: number;
  readonly ai: SideSums;
  readonly baseline: SideSums;
}

type Sums = { -readonly [Key in keyof SideSums]: SideSums[Key] };
const nothing = (): Sums => ({ exposures: 0, starts: 0, usd: 0, usdSquares: 0 });

/** Sums by side and share. */
export class Comparison {
  readonly #strata = new Map<number, { ai: Sums; baseline: Sums }>();

  constructor(strata: readonly Stratum[] = []) {
    for (const { share, ai, baseline } of strata) this.#strata.set(share, { ai: { ...ai }, baseline: { ...baseline } });
  }

  addExposure(side: Side, share: number): void {
    if (side !== null) this.#of(share)[side].exposures++;
  }

  addStart(side: Side, share: number): void {
    if (side !== null) this.#of(share)[side].starts++;
  }

  /** Takes these USD per start for all that were counted before. */
  recountUsd(payouts: Iterable<{ readonly side: Side; readonly share: number; readonly usd: number }>): void {
    for (const { ai, baseline } of this.#strata.values()) {
      for (const sums of [ai, baseline]) [sums.usd, sums.usdSquares] = [0, 0];
    }
    for (const { side, share, usd } of payouts) {
      if (side === null) continue;
      const sums = this.#of(share)[side];
      sums.usd += usd;
      sums.usdSquares += usd * usd;
    }
  }

  /** By rising share. */
  strata(): readonly Stratum[] {
    const rising = [...this.#strata].sort(([one], [other]) => one - other);
    return rising.map(([share, { ai, baseline }]) => ({ share, ai: { ...ai }, baseline: { ...baseline } }));
  }

  #of(share: number): { ai: Sums; baseline: Sums } {
    const known = this.#strata.get(share);
    if (known !== undefined) return known;
    const fresh = { ai: nothing(), baseline: nothing() };
    this.#strata.set(share, fresh);
    return fresh;
  }
}
