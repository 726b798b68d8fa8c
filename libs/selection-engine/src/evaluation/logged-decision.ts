/** A decision that was shown and what it brought, with what another policy would have done. */
export interface LoggedDecision {
  /** Whose it was: decisions of one profile are not independent. */
  readonly profile: string;
  /** The place of what was shown among the candidates. */
  readonly chosen: number;
  /** With which it was shown, as logged; in (0, 1]. */
  readonly propensity: number;
  /** The evaluated policy's probabilities of the candidates. */
  readonly policy: ArrayLike<number>;
  /** What was expected of the candidates when it was decided: the logged values, not a later model's. */
  readonly expected: ArrayLike<number>;
  /** USD that it brought, 0 without a start. */
  readonly reward: number;
}

/** An answer that the log can carry, or none. */
export type Estimate = Estimated | { readonly refused: true; readonly effectiveSampleSize: number };

export interface Estimated {
  readonly refused: false;
  /** In the reward's unit, per decision. */
  readonly value: number;
  /** Clustered by profile. */
  readonly standardError: number;
  /** value ± 1.96 standard errors, or wider: for one look, not for watching. */
  readonly interval: readonly [low: number, high: number];
  /** (Σw)²/Σw² in decisions. */
  readonly effectiveSampleSize: number;
  readonly greatestWeight: number;
  /** How far weights were shrunk; Infinity: not at all. Of `dros` alone. */
  readonly lambda?: number;
}

export interface EstimateOptions {
  /** Below it there is no answer. Default 200. */
  readonly leastEffectiveSampleSize?: number;
}
