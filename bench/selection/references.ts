import { dayOf, isAi } from './play.ts';
import { days } from './world/calendar.ts';
import { availableAt, type World } from './world/world.ts';

/** What could have been earned by those who need not learn, in USD by day, of the same impressions. */
export interface References {
  readonly uniform: Float64Array;
  readonly oracle: Float64Array;
  readonly baseline: Float64Array;
  /** Of always showing one variant, while there is one. */
  readonly fixed: readonly Float64Array[];
}

export function referencesOf(world: World): References {
  const count = world.variants.length;
  const [uniform, oracle, baseline] = [new Float64Array(days), new Float64Array(days), new Float64Array(days)];
  const fixed = world.variants.map(() => new Float64Array(days));
  const ofAi = isAi(world);
  for (let impression = 0; impression < world.impressions; impression++) {
    if (!ofAi(impression)) continue;
    const day = dayOf(world.at[impression]!);
    const available = availableAt(world, world.at[impression]!);
    let most = 0;
    for (let row = 0; row < available; row++) {
      const usd = world.usd[impression * count + row]!;
      uniform[day]! += usd / available;
      fixed[row]![day]! += usd;
      if (usd > most) most = usd;
    }
    oracle[day]! += most;
    baseline[day]! += world.usd[impression * count + world.baseline]!;
  }
  return { uniform, oracle, baseline, fixed };
}

export const sum = (numbers: ArrayLike<number>, from = 0): number => {
  let total = 0;
  for (let index = from; index < numbers.length; index++) total += numbers[index]!;
  return total;
};

/** What the best of the fixed variants earned from a day on. */
export const bestFixed = ({ fixed }: References, from = 0): number => Math.max(...fixed.map((usd) => sum(usd, from)));
