/**
 * The chance with which AI and Baseline traffic together would have shown each candidate, and the baseline:
 * p = (w_AI·pi + w_Baseline·[a = baseline]) / (w_AI + w_Baseline). What off-policy evaluation weighs by.
 * @param probabilities of the candidates given AI, in their order
 * @param weights of the placement's traffic, ≥ 0 and finite, not both 0
 * @param baseline the baseline's place among the candidates, -1 if it is none of them
 * @returns the candidates' propensities, and the baseline's
 */
export function propensities(
  probabilities: Float64Array,
  weights: { readonly ai: number; readonly baseline: number },
  baseline: number,
): { readonly candidates: Float64Array; readonly baseline: number } {
  const total = weights.ai + weights.baseline;
  if (!(weights.ai >= 0 && weights.baseline >= 0 && total > 0 && total < Infinity)) {
    throw new RangeError('The weights of AI and Baseline traffic are 0, negative or no numbers.');
  }
  const candidates = probabilities.map((probability, index) => {
    return (weights.ai * probability + (index === baseline ? weights.baseline : 0)) / total;
  });
  return { candidates, baseline: candidates[baseline] ?? weights.baseline / total };
}
