import { fieldValues } from '@paywright/selection-engine';
import { refreshHours, type Contender } from './contender.ts';
import { aiShare, contextOf, LogOfWorld } from './log-of-world.ts';
import { days, worldStart } from './world/calendar.ts';
import { stream } from './world/chance.ts';
import { availableAt, type World } from './world/world.ts';

const hourMs = 3_600_000;
export const dayOf = (at: number): number => Math.floor((at - worldStart) / (24 * hourMs));

/** What was promised of a served impression, and what it was worth. */
export interface PromisedValue {
  readonly at: number;
  readonly promised: number;
  readonly usd: number;
}

/** How a contender did, in expected USD of the world's own truth. */
export interface Played {
  readonly name: string;
  /** By day: of impressions that the AI's traffic was drawn for. */
  readonly usd: Float64Array;
  /** Chance that was given to the newest variant, and impressions, since it was launched. */
  readonly newest: { readonly share: number; readonly impressions: number };
  readonly promises: readonly PromisedValue[];
  readonly seconds: number;
}

/** Whether an impression is the AI's to choose; else it shows the baseline. */
export const isAi = (world: World): ((impression: number) => boolean) => {
  const side = stream(world.seed, 'side');
  return (impression) => side(impression) < aiShare;
};

/** Lets a contender live through a world: it chooses, and learns from what its choices bring. */
export async function play(world: World, contender: Contender): Promise<Played> {
  const began = performance.now();
  const log = new LogOfWorld(world);
  const [drawn, held, ofAi] = [stream(world.seed, 'arm'), stream(world.seed, 'held back'), isAi(world)];
  const usd = new Float64Array(days);
  const promises: PromisedValue[] = [];
  const newest = { share: 0, impressions: 0 };
  const count = world.variants.length;
  let from = 0;
  for (let hour = Math.floor(worldStart / hourMs), last = hour + days * 24; hour < last; hour++) {
    const isRefresh = (hour - Math.floor(worldStart / hourMs)) % refreshHours === 0;
    if (isRefresh) await contender.prepare(from, endOf(world, from, (hour + refreshHours) * hourMs));
    const to = endOf(world, from, (hour + 1) * hourMs);
    for (let impression = from; impression < to; impression++) {
      const at = world.at[impression]!;
      const values = fieldValues(contextOf(world, impression), null);
      const share = contender.share?.(at) ?? 1;
      const baseline = { side: 'baseline', share: share * aiShare, logValue: null } as const;
      if (!ofAi(impression)) {
        log.add(impression, world.baseline, baseline, values);
        continue;
      }
      const { probabilities, logValues, promised } = contender.choose(impression);
      let earned = 0;
      for (let row = 0; row < probabilities.length; row++)
        earned += probabilities[row]! * world.usd[impression * count + row]!;
      usd[dayOf(at)]! += share * earned + (1 - share) * world.usd[impression * count + world.baseline]!;
      if (held(impression) >= share) {
        log.add(impression, world.baseline, baseline, values);
        continue;
      }
      if (world.scenario.launch && availableAt(world, at) === count) {
        newest.share += probabilities[count - 1] ?? 0;
        newest.impressions++;
      }
      const row = walk(probabilities, drawn(impression));
      if (promised) promises.push({ at, promised: promised[row]!, usd: world.usd[impression * count + row]! });
      log.add(impression, row, { ...baseline, side: 'ai', logValue: logValues ? logValues[row]! : null }, values);
    }
    from = to;
    const now = (hour + 1) * hourMs;
    await contender.learn([...log.take(hour), { type: 'tick', at: now }], now);
  }
  return { name: contender.name, usd, newest, promises, seconds: (performance.now() - began) / 1_000 };
}

function endOf({ at, impressions }: World, from: number, until: number): number {
  let to = from;
  while (to < impressions && at[to]! < until) to++;
  return to;
}

function walk(probabilities: Float64Array, u: number): number {
  let sum = 0;
  for (let row = 0; row < probabilities.length; row++) if (u < (sum += probabilities[row]!)) return row;
  return probabilities.length - 1;
}
