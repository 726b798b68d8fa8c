/** People of a world whom its numbers are set by: moods and tastes in log odds, USD of a start, a row a person. */
export interface Sample {
  readonly people: number;
  readonly variants: number;
  readonly mood: Float64Array;
  readonly taste: Float64Array;
  readonly usd: Float64Array;
}

export interface Balance {
  /** Times the tastes. */
  readonly scale: number;
  /** Log odds by variant. */
  readonly intercepts: Float64Array;
}

const logistic = (x: number) => 1 / (1 + Math.exp(-x));

/** How much variants differ, so that evenly shown ones earn `share` of what the best does. */
export function spreadFor(deviates: readonly number[], share: number): number {
  const shareAt = (spread: number) => {
    const earned = deviates.map((deviate) => Math.exp(spread * deviate));
    return earned.reduce((sum, one) => sum + one, 0) / earned.length / Math.max(...earned);
  };
  return bisect(0, 3, (spread) => shareAt(spread) > share);
}

/**
 * Sets a world's numbers: every variant's log odds, so that it earns its target on average; and how strong tastes
 * are, so that who knew each person would earn `oracle` times what the best variant does.
 * @param targets USD an exposure, by variant
 * @param reference variants that `oracle` is about, from the first
 */
export function balance(sample: Sample, targets: readonly number[], oracle: number, reference: number): Balance {
  const hasTaste = sample.taste.some((one) => one !== 0);
  const interceptsAt = (scale: number) => Float64Array.from(targets, (target, row) => {
    return bisect(-14, 4, (intercept) => earns(sample, row, intercept, scale) < target);
  }); // prettier-ignore
  const ratioAt = (scale: number) => {
    const intercepts = interceptsAt(scale);
    let [best, known] = [0, 0];
    for (let row = 0; row < reference; row++) best = Math.max(best, earns(sample, row, intercepts[row]!, scale));
    for (let person = 0; person < sample.people; person++) {
      let most = 0;
      for (let row = 0; row < reference; row++)
        most = Math.max(most, usdOf(sample, person, row, intercepts[row]!, scale));
      known += most / sample.people;
    }
    return known / best;
  };
  const scale = hasTaste ? bisect(0, 1.5, (tried) => ratioAt(tried) < oracle, 9) : 0;
  return { scale, intercepts: interceptsAt(scale) };
}

function usdOf(
  { variants, mood, taste, usd }: Sample,
  person: number,
  row: number,
  intercept: number,
  scale: number,
): number {
  const at = person * variants + row;
  return usd[at]! * logistic(intercept + mood[person]! + scale * taste[at]!);
}

function earns(sample: Sample, row: number, intercept: number, scale: number): number {
  let sum = 0;
  for (let person = 0; person < sample.people; person++) sum += usdOf(sample, person, row, intercept, scale);
  return sum / sample.people;
}

/** Where a rising truth turns false. */
function bisect(low: number, high: number, isBelow: (x: number) => boolean, steps = 16): number {
  for (let step = 0; step < steps; step++) {
    const middle = (low + high) / 2;
    if (isBelow(middle)) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
