import type { ProfileSpread } from '@paywright/read-model';
import type { LoggedDecision } from '@paywright/selection-engine';

/** How profiles spread around a policy's value, and the weight of all decisions: what the interval of a ratio is made of. */
export interface WeightedSpread {
  /** Of `payers` as many as would tell as much if they weighed alike: (Σw)²/Σw² over profiles that earned. */
  readonly spread: ProfileSpread;
  readonly weight: number;
}

/**
 * The self-normalised estimate is a ratio of two sums over profiles: of weighted rewards, and of weights.
 * @param value that ratio
 * @see Kish, Survey Sampling, 1965, section 11.7 (the effective number)
 */
export function weightedSpread(decisions: readonly LoggedDecision[], value: number): WeightedSpread {
  const profiles = new Map<string, { surplus: number; earning: number }>();
  let weight = 0;
  for (const { profile, chosen, propensity, policy, reward } of decisions) {
    const one = (policy[chosen] ?? 0) / propensity;
    const { surplus, earning } = profiles.get(profile) ?? { surplus: 0, earning: 0 };
    weight += one;
    profiles.set(profile, {
      surplus: surplus + one * (reward - value),
      earning: reward === 0 ? earning : earning + one,
    });
  }
  let [earning, earningSquares, squaredSurplus, cubedSurplus] = [0, 0, 0, 0];
  for (const profile of profiles.values()) {
    earning += profile.earning;
    earningSquares += profile.earning ** 2;
    squaredSurplus += profile.surplus ** 2;
    cubedSurplus += profile.surplus ** 3;
  }
  const payers = earningSquares === 0 ? 0 : earning ** 2 / earningSquares;
  return { spread: { profiles: profiles.size, payers, squaredSurplus, cubedSurplus }, weight };
}
