import type { Estimate, LoggedDecision } from '../evaluation/logged-decision.ts';
import { randomNumbers } from './random-numbers.ts';

/** What each of four candidates is worth. */
export const truths = [0.5, 1, 2, 4];
const evaluated = [0.1, 0.2, 0.3, 0.4];
export const logging = [0.4, 0.3, 0.2, 0.1];
/** What the evaluated policy earns. */
export const truth = truths.reduce((sum, value, place) => sum + value * (evaluated[place] ?? 0), 0);

/**
 * Decisions by the logging policy, a function of the seed: a quarter of them earn, twice the candidate's worth at the
 * mean.
 */
export const logOf = (
  seed: number,
  size: number,
  expected: readonly number[] = truths,
  profiles = size,
): LoggedDecision[] => {
  const next = randomNumbers(seed);
  return Array.from({ length: size }, (_, index) => {
    const u = next();
    const chosen = u < 0.4 ? 0 : u < 0.7 ? 1 : u < 0.9 ? 2 : 3;
    const reward = next() < 0.25 ? 4 * (truths[chosen] ?? 0) * 2 * next() : 0;
    const profile = `${index % profiles}`;
    return { profile, chosen, propensity: logging[chosen] ?? 0, policy: evaluated, expected, reward };
  });
};
export const answered = (estimate: Estimate) => {
  if (estimate.refused) throw new Error(`refused at ${estimate.effectiveSampleSize}`);
  return estimate;
};
