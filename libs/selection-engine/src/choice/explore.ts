const greatestFloor = 0.01;
/** What all floors together may take. */
const flooredShare = 0.1;
/** Exposures a candidate up to which the floor is whole; from there on it falls with the root of the exposures. */
const wholeUntil = 2_000;
const leastPart = 0.2;
/** Exposures a candidate before a new model's beliefs count in full. */
const settledAfter = 100;

/**
 * The ways in which policies have explored, the newest last. A decision names its own, and is replayed by it.
 * `learned-1` keeps the whole floor for ever.
 */
export const choiceVersions = ['learned-1', 'learned-2'] as const;
export type ChoiceVersion = (typeof choiceVersions)[number];
export const choiceVersion: ChoiceVersion = 'learned-2';

/** The least probability that any of that many candidates is given by a model that has learned from so many exposures. */
export function floorOf(candidates: number, exposures: number, version = choiceVersion): number {
  const whole = flooredShare / candidates < greatestFloor ? flooredShare / candidates : greatestFloor;
  if (version === 'learned-1' || exposures <= wholeUntil * candidates) return whole;
  const part = Math.sqrt((wholeUntil * candidates) / exposures);
  return whole * (part > leastPart ? part : leastPart);
}

/**
 * Turns the probabilities of being best into those of being shown, in place: a floor is added, not clipped to,
 * and a model with few exposures is held near even shares.
 * @param exposures that the model has learned from
 */
export function explore(probabilities: Float64Array, exposures: number, version = choiceVersion): void {
  const candidates = probabilities.length;
  const floor = floorOf(candidates, exposures, version);
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
