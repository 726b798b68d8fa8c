import { exp } from '../numbers/exp.ts';
import { log } from '../numbers/log.ts';

/** What was observed of some weights of one group, a number a weight, as if each were left out of the model. */
export interface Evidence {
  /** Starts beyond those that were expected without it. */
  readonly scores: number[];
  /** Starts that were expected with it. */
  readonly expected: number[];
  /** What the weights of its row and of its column, fitted to the same starts, leave of both to chance: 0 to 1. */
  readonly free: number[];
}

/** A group's own evidence may move the variance some e-folds; where there is little, it stays near what was thought. */
const spread = 0.7;
const farthest = 5;
const stepsOfFold = 4;

/**
 * The prior variance of a group's weights that is likeliest by what was observed of them: the weights themselves are
 * integrated out, each a normal, and the variance's log is a normal about that of `thought`.
 *
 * Estimates by the fitted weights (MacKay's) hardly move while a weight has few starts, since it then is as the prior has it.
 * @returns by quarters of an e-fold from `thought`
 * @see MacKay, Bayesian Interpolation, 1992, section 4; Patterson and Thompson, Recovery of inter-block information, 1971
 */
export function likeliestVariance({ scores, expected, free }: Evidence, thought: number): number {
  let [best, found] = [-Infinity, thought];
  for (let step = -farthest * stepsOfFold; step <= farthest * stepsOfFold; step++) {
    const folds = step / stepsOfFold;
    const variance = thought * exp(folds);
    let likelihood = -0.5 * (folds / spread) ** 2;
    for (let weight = 0; weight < scores.length; weight++) {
      const chance = expected[weight]! * free[weight]!;
      const spreadOfScore = chance + variance * chance * chance;
      likelihood -= 0.5 * (log(spreadOfScore) + scores[weight]! ** 2 / spreadOfScore);
    }
    if (likelihood > best) [best, found] = [likelihood, variance];
  }
  return found;
}
