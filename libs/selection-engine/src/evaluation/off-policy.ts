import type { Estimate, EstimateOptions, LoggedDecision } from './logged-decision.ts';

const leastSampleSize = 200;
/** From nearly unbiased to nearly without variance. */
const lambdas = [1e5, 1e4, 3e3, 1e3, 300, 100, 30, 10, 3, 1, 0.3] as const;

interface Weighted {
  readonly weights: Float64Array;
  readonly effectiveSampleSize: number;
  readonly greatestWeight: number;
}
interface Mean {
  readonly value: number;
  readonly standardError: number;
}

/**
 * Value of a policy from another policy's log, by self-normalised inverse propensity scoring.
 * @param log one decision or more, with known propensities and outcomes older than any delay
 * @throws RangeError if the log is empty, or a number in it is not as said
 * @see Swaminathan and Joachims, The Self-Normalized Estimator for Counterfactual Learning, NIPS 2015
 */
export function snips(log: readonly LoggedDecision[], options: EstimateOptions = {}): Estimate {
  return estimate(log, options, ({ weights }) => {
    let weight = 0;
    let weighted = 0;
    log.forEach(({ reward }, index) => {
      weight += weights[index]!;
      weighted += weights[index]! * reward;
    });
    const value = weighted / weight;
    const influence = weights.map((one, index) => (one * (log[index]!.reward - value) * log.length) / weight);
    return { value, standardError: clusteredError(log, influence) };
  });
}

/**
 * The same, doubly robust: what was expected, corrected by weighted surprises.
 * @see Dudík, Langford and Li, Doubly Robust Policy Evaluation and Learning, ICML 2011
 */
export function dr(log: readonly LoggedDecision[], options: EstimateOptions = {}): Estimate {
  return estimate(log, options, ({ weights }) => doublyRobust(log, weights, Infinity));
}

/**
 * The same with weights shrunk towards 0: as far as the intervals of all milder shrinkages still meet. Shrinking
 * biases, and the standard error does not know it; so the interval spans that of the mildest shrinkage too.
 * @see Su et al., Doubly robust off-policy evaluation with shrinkage, ICML 2020; Su, Srinath and Krishnamurthy,
 * Adaptive Estimator Selection for Off-Policy Evaluation, ICML 2020
 */
export function dros(log: readonly LoggedDecision[], options: EstimateOptions = {}): Estimate {
  let mildest: Mean | null = null;
  const chosen = estimate(log, options, ({ weights }) => {
    let best: Mean & { lambda: number } = { value: 0, standardError: 0, lambda: 0 };
    let low = -Infinity;
    let high = Infinity;
    for (const lambda of lambdas) {
      const next = doublyRobust(log, weights, lambda);
      mildest ??= next;
      low = Math.max(low, next.value - 2 * next.standardError);
      high = Math.min(high, next.value + 2 * next.standardError);
      if (low > high) break;
      best = { ...next, lambda };
    }
    return best;
  });
  return chosen.refused || mildest === null
    ? chosen
    : { ...chosen, interval: hull(chosen.interval, intervalOf(mildest)) };
}

function estimate(
  log: readonly LoggedDecision[],
  { leastEffectiveSampleSize = leastSampleSize }: EstimateOptions,
  meanOf: (weighted: Weighted) => Mean & { readonly lambda?: number },
): Estimate {
  const weighted = weigh(log);
  const { effectiveSampleSize, greatestWeight } = weighted;
  if (!(effectiveSampleSize >= leastEffectiveSampleSize && effectiveSampleSize > 0)) {
    return { refused: true, effectiveSampleSize };
  }
  const mean = meanOf(weighted);
  return { refused: false, ...mean, interval: intervalOf(mean), effectiveSampleSize, greatestWeight };
}

type Interval = readonly [low: number, high: number];

const intervalOf = ({ value, standardError }: Mean): Interval => [
  value - 1.96 * standardError,
  value + 1.96 * standardError,
];

const hull = (one: Interval, other: Interval): Interval => [Math.min(one[0], other[0]), Math.max(one[1], other[1])];

function weigh(log: readonly LoggedDecision[]): Weighted {
  if (log.length === 0) throw new RangeError('There is no decision to estimate from.');
  const weights = Float64Array.from(log, weightOf);
  let sum = 0;
  let squares = 0;
  let greatestWeight = 0;
  for (const weight of weights) {
    sum += weight;
    squares += weight * weight;
    if (weight > greatestWeight) greatestWeight = weight;
  }
  return { weights, effectiveSampleSize: squares > 0 ? (sum * sum) / squares : 0, greatestWeight };
}

function weightOf({ chosen, propensity, policy, expected, reward }: LoggedDecision): number {
  const wanted = policy[chosen];
  const isKnown = propensity > 0 && propensity <= 1 && wanted !== undefined && wanted >= 0 && wanted <= 1;
  if (!isKnown || !Number.isFinite(reward) || policy.length !== expected.length) {
    throw new RangeError('A logged decision lacks a propensity in (0, 1], a probability or a reward.');
  }
  return wanted / propensity;
}

function doublyRobust(log: readonly LoggedDecision[], weights: Float64Array, lambda: number): Mean {
  const terms = new Float64Array(log.length);
  let sum = 0;
  log.forEach(({ chosen, policy, expected, reward }, index) => {
    const weight = weights[index]!;
    const shrunk = lambda === Infinity ? weight : (lambda * weight) / (weight * weight + lambda);
    let term = shrunk * (reward - expected[chosen]!);
    for (let place = 0; place < policy.length; place++) term += policy[place]! * expected[place]!;
    terms[index] = term;
    sum += term;
  });
  const value = sum / log.length;
  if (!Number.isFinite(value)) throw new RangeError('A logged decision lacks an expected value.');
  return { value, standardError: clusteredError(log, terms.map((term) => term - value)) }; // prettier-ignore
}

/** Of a mean whose deviations these are: a profile's go together. */
function clusteredError(log: readonly LoggedDecision[], deviations: Float64Array): number {
  const sums = new Map<string, number>();
  log.forEach(({ profile }, index) => sums.set(profile, (sums.get(profile) ?? 0) + deviations[index]!));
  if (sums.size < 2) return Infinity;
  let squares = 0;
  for (const sum of sums.values()) squares += sum * sum;
  return Math.sqrt((squares * sums.size) / (sums.size - 1)) / log.length;
}
