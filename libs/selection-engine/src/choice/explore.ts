const greatestFloor = 0.01;
/** What all floors together may take. */
const flooredShare = 0.1;
/** Exposures a candidate before a new model's beliefs count in full. */
const settledAfter = 100;

/** The least probability that any of that many candidates is given. */
export const floorOf = (candidates: number): number =>
  flooredShare / candidates < greatestFloor ? flooredShare / candidates : greatestFloor;

/**
 * Turns the probabilities of being best into those of being shown, in place: a floor is added, not clipped to,
 * and a model with few exposures is held near even shares.
 * @param exposures that the model has learned from
 */
export function explore(probabilities: Float64Array, exposures: number): void {
  const candidates = probabilities.length;
  const floor = floorOf(candidates);
  const trust = exposures < settledAfter * candidates ? exposures / (settledAfter * candidates) : 1;
  for (let index = 0; index < candidates; index++) {
    const floored = floor + (1 - candidates * floor) * probabilities[index]!;
    probabilities[index] = trust * floored + (1 - trust) / candidates;
  }
}

/** Everything on the greatest mean, the first of equal ones. */
export function exploit(means: ArrayLike<number>, probabilities: Float64Array): void {
  let best = 0;
  for (let index = 1; index < means.length; index++) if (means[index]! > means[best]!) best = index;
  probabilities.fill(0);
  probabilities[best] = 1;
}
