import { exp } from '../numbers/exp.ts';
import { log } from '../numbers/log.ts';

/** What was observed of some weights of one variance, a number a weight, as if each were left out of the model. */
export interface Evidence {
  /** Starts (or those who went on) beyond what is expected without it. */
  readonly scores: number[];
  /**
   * What a weight is known by: of starts, how many are expected without it; of those who go on, the variance of their
   * number.
   */
  readonly expected: number[];
  /** What the weights of its row and of its column, fitted to the same starts, leave of both to chance: 0 to 1. */
  readonly free: number[];
}

/** Standard deviations, in e-folds: of groups' variances about their centre, of the centre about what was thought. */
const spreadOfGroups = 1.2;
const spreadOfCentre = 2;
const stepsOfFold = 4;
const farthest = 8;
/** Variances are looked for at these e-folds from what was thought. */
const folds = Array.from({ length: 2 * farthest * stepsOfFold + 1 }, (_, step) => step / stepsOfFold - farthest);

const normal = (deviation: number, spread: number) => -0.5 * (deviation / spread) ** 2;
/** By steps that a fold is above a centre, from the farthest below on: how likely it is. */
const aboutCentre = Float64Array.from({ length: 2 * folds.length - 1 }, (_, step) =>
  normal(step / stepsOfFold - 2 * farthest, spreadOfGroups),
);

/**
 * The prior variances of groups of weights that are likeliest, all together, by what was observed of each: the weights
 * themselves are integrated out, each a normal; the logs of the variances are normals about a centre, and that is one
 * about the log of `thought`. So many groups that each say little say much of each other.
 *
 * Estimates by the fitted weights (MacKay's) hardly move while a weight has few starts, since it then is as the prior
 * has it.
 * @returns by quarters of an e-fold from `thought`
 * @see MacKay, Bayesian Interpolation, 1992, section 4; Patterson and Thompson, Recovery of inter-block information,
 * 1971
 */
export function likeliestVariances(observed: readonly Evidence[], thought: number): readonly number[] {
  const likelihoods = observed.map((evidence) => folds.map((fold) => logLikelihood(evidence, thought * exp(fold))));
  let [best, found] = [-Infinity, observed.map(() => 0)];
  for (const [place, centre] of folds.entries()) {
    let likelihood = normal(centre, spreadOfCentre);
    const likeliest = likelihoods.map((ofGroup) => {
      let most = -Infinity;
      let at = 0;
      for (let step = 0; step < folds.length; step++) {
        const one = ofGroup[step]! + aboutCentre[step - place + folds.length - 1]!;
        if (!(one > most)) continue;
        most = one;
        at = folds[step]!;
      }
      likelihood += most;
      return at;
    });
    if (likelihood > best) [best, found] = [likelihood, likeliest];
  }
  return found.map((fold) => thought * exp(fold));
}

/** Products between them are far from overflow and from nothing, whatever spread comes next. */
const [smallProduct, greatProduct] = [2 ** -500, 2 ** 500];

function logLikelihood({ scores, expected, free }: Evidence, variance: number): number {
  let sum = 0;
  let spreads = 1;
  for (let weight = 0; weight < scores.length; weight++) {
    const chance = expected[weight]! * free[weight]!;
    const spreadOfScore = chance + variance * chance * chance;
    sum += scores[weight]! ** 2 / spreadOfScore;
    spreads *= spreadOfScore; // one log of many, which costs more than all else
    if (spreads > greatProduct || spreads < smallProduct) {
      sum += log(spreads);
      spreads = 1;
    }
  }
  return -0.5 * (sum + log(spreads));
}
