import { exp } from '../numbers/exp.ts';
import { log } from '../numbers/log.ts';
import { oddsOf } from '../numbers/odds.ts';
import { meanOf, type Tally } from './tally.ts';

/** By how much later renewals follow the first, in log odds off what was believed of both before. */
export interface Following {
  /** Of what the first one is off, how much later ones are thought to be. */
  readonly slope: number;
  /** Of the variance that they were thought to have, how much is left when the first one's is known. */
  readonly left: number;
}

/** First and later renewals of a product, in log odds off its plan's prior, and how sure each is. */
export interface Pair {
  readonly first: number;
  readonly firstVariance: number;
  readonly later: number;
  readonly laterVariance: number;
}

/** A plan's products whose later renewals were seen. */
export interface PairsOfPlan {
  readonly pairs: readonly Pair[];
  /** How much a plan's log odds are thought to vary about the prior, and a product's about its plan's. */
  readonly variance: number;
}

/** From none to nearly all of it, evenly; before any pair is seen, one is as likely as another. */
const correlations = [0.05, 0.15, 0.25, 0.35, 0.45, 0.55, 0.65, 0.75, 0.85, 0.95] as const;

/**
 * The log odds of the first renewal and of later ones, a plan's about the prior and a product's about its plan's, are
 * normal, vary alike, and are correlated by what all plans and products of a model have in common: by all where every
 * renewal is as likely as the first, by little as rates are published. So given the first, later ones are normal about
 * `correlation` times what it is off, with `1 - correlation²` of the variance, and each correlation is as likely as what
 * was seen is by it.
 * @see Gelman et al., Bayesian Data Analysis, 2013, 5.4 and 15
 */
export function learnFollowing(plans: readonly PairsOfPlan[]): Following {
  const logLikelihoods = correlations.map((correlation) =>
    plans.reduce((sum, plan) => sum + logLikelihood(plan, correlation), 0),
  );
  const greatest = logLikelihoods.reduce((most, one) => (one > most ? one : most));
  let [total, slope, left] = [0, 0, 0];
  correlations.forEach((correlation, index) => {
    const weight = exp(logLikelihoods[index]! - greatest);
    total += weight;
    slope += weight * correlation;
    left += weight * (1 - correlation * correlation);
  });
  return { slope: slope / total, left: left / total };
}

/** Of later renewals, the first ones given, but for a constant: what is left of a plan is common to its products. */
function logLikelihood({ pairs, variance }: PairsOfPlan, correlation: number): number {
  const left = variance * (1 - correlation * correlation);
  let [logs, weights, moments, squares] = [0, 0, 0, 0];
  for (const { first, firstVariance, later, laterVariance } of pairs) {
    const off = later - correlation * first;
    const own = left + laterVariance + correlation * correlation * firstVariance;
    logs += log(own);
    weights += 1 / own;
    moments += off / own;
    squares += (off * off) / own;
  }
  const shared = 1 + left * weights;
  return -(logs + log(shared) + squares - (left * moments * moments) / shared) / 2;
}

/**
 * @param first what is believed of it, and what was seen
 * @param later what was seen, at least once
 * @param prior pseudo-counts [yes, no]
 */
export function pairOf(first: Tally & { readonly rate: number }, later: Tally, prior: readonly [number, number]): Pair {
  const from = log(oddsOf(meanOf(undefined, prior)));
  const [yes, no] = prior;
  const count = later.yes + later.no;
  // Linear from where it is believed to be: the log odds of all or none would be infinite.
  const near = meanOf(later, prior);
  const information = near * (1 - near);
  return {
    first: log(oddsOf(first.rate)) - from,
    firstVariance: 1 / ((first.yes + first.no + yes + no) * first.rate * (1 - first.rate)),
    later: log(oddsOf(near)) - from + (later.yes / count - near) / information,
    laterVariance: 1 / (count * information),
  };
}
