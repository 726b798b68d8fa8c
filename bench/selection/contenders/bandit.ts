import { bestArm } from '@paywright/selection-engine';
import type { Contender } from '../contender.ts';
import { availableAt, type World } from '../world/world.ts';
import { Labels } from './labels.ts';

const dayMs = 86_400_000;
const maturityMs = 7 * dayMs;
const unitsBefore = 100;
const floor = 0.01;

/**
 * A bandit without context, as products sell it: Gaussian Thompson sampling of each variant's USD an exposure, of
 * exposures a week old, weighed anew every day; even shares until each variant has 100 of them.
 */
export function banditContender(world: World): Contender {
  const labels = new Labels();
  const exposures: { readonly id: string; readonly at: number; readonly paywall: string }[] = [];
  const seen = new Set<string>();
  let weights = new Float64Array(0);
  let weighedAt = -Infinity;

  const weigh = (now: number, available: number) => {
    const sums = world.variants.map(() => ({ units: 0, usd: 0, squares: 0 }));
    const rowOf = new Map(world.variants.map(({ paywall }, row) => [paywall, row]));
    for (const { id, at, paywall } of exposures) {
      if (at + maturityMs > now) continue;
      const sum = sums[rowOf.get(paywall)!]!;
      const usd = labels.of(id);
      sum.units++;
      sum.usd += usd;
      sum.squares += usd * usd;
    }
    const known = sums.slice(0, available);
    weights = new Float64Array(available).fill(1 / available);
    if (known.some(({ units }) => units < unitsBefore)) return;
    const means = known.map(({ units, usd }) => usd / units);
    const variances = known.map(({ units, squares }, row) =>
      Math.max(1e-9, (squares / units - means[row]! ** 2) / units),
    );
    bestArm(means, variances, weights);
    weights.forEach((weight, row) => (weights[row] = floor + (1 - available * floor) * weight));
  };
  return {
    name: 'bandit',
    learn(records, now) {
      labels.learn(records, now);
      for (const record of records) {
        if (record.type !== 'shown' || seen.has(record.id)) continue;
        seen.add(record.id);
        exposures.push(record);
      }
    },
    prepare(from) {
      const now = world.at[from]!;
      const available = availableAt(world, now);
      if (now < weighedAt + dayMs && weights.length === available) return;
      weighedAt = now;
      weigh(now, available);
    },
    choose: () => ({ probabilities: weights, logValues: null, promised: null }),
  };
}
