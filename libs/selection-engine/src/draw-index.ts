/**
 * The index that `u` falls on when [0, 1) is split by the weights, in their order.
 * @param weights finite and ≥ 0, not all 0; they need not add up to 1
 * @param u in [0, 1)
 * @returns an index whose weight is above 0; where rounding leaves none, the last such
 * @throws RangeError if no weight is above 0, or one is negative or not finite
 */
export function drawIndex(weights: ArrayLike<number>, u: number): number {
  const total = sum(weights);
  let below = 0;
  let last = -1;
  for (let index = 0; index < weights.length; index++) {
    const weight = weights[index] ?? 0;
    if (weight === 0) continue;
    last = index;
    below += weight;
    if (u * total < below) return index;
  }
  return last;
}

function sum(weights: ArrayLike<number>): number {
  let total = 0;
  for (let index = 0; index < weights.length; index++) {
    const weight = weights[index] ?? 0;
    if (!(weight >= 0)) throw new RangeError(`Weight ${index} is negative or no number.`);
    total += weight;
  }
  if (!(total > 0 && total < Infinity)) throw new RangeError('The weights add up to nothing, or to infinity.');
  return total;
}
