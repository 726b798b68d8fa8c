import {
  choiceVersion,
  dros,
  type ChoiceVersion,
  type LearningRecord,
  type LoggedDecision,
} from '@paywright/selection-engine';
import type { Figure } from '../../figure.ts';
import type { Contender } from '../contender.ts';
import { engineContender } from '../contenders/engine.ts';
import { Labels } from '../contenders/labels.ts';
import { play } from '../play.ts';
import { days, worldStart } from '../world/calendar.ts';
import { dayMs } from '../world/people.ts';
import { scenarios } from '../world/scenarios.ts';
import { makeWorld, type World } from '../world/world.ts';

const maturityMs = 14 * dayMs;
const end = worldStart + days * dayMs;
const worlds = 10;

interface Shown {
  readonly impression: number;
  readonly chosen: number;
  readonly pi: Float64Array;
  readonly values: Float64Array;
}

/** How far the estimates of three policies are off, as a share of the truth; means over worlds. */
interface Errors {
  uniform: number;
  greedy: number;
  fixed: number;
}

/**
 * Estimates from the engine's own log of S1, whose truth the world knows: three policies that it might have been. The
 * targets are of a floor of 1 %, which `learned-1` keeps; beside them those of the floor as it is served.
 */
export async function knownTruthFigures(): Promise<readonly Figure[]> {
  const [kept, served] = [await errorsOf('learned-1'), await errorsOf(choiceVersion)];
  const about = { row: 'T15', unit: '', better: 'lower' } as const;
  const what = (policy: string) => `S1 log, ${policy}: relative error`;
  const falling = (policy: string) => `S1 log, floor as served, ${policy}: relative error`;
  return [
    { ...about, what: what('even shares'), value: kept.uniform, must: 0.05 },
    { ...about, what: what('greedy on the last model'), value: kept.greedy, must: 0.08 },
    { ...about, what: what('best fixed variant'), value: kept.fixed, must: 0.18 },
    { ...about, what: falling('even shares'), value: served.uniform },
    { ...about, what: falling('greedy on the last model'), value: served.greedy },
    { ...about, what: falling('best fixed variant'), value: served.fixed },
  ];
}

async function errorsOf(version: ChoiceVersion): Promise<Errors> {
  const off: Errors = { uniform: 0, greedy: 0, fixed: 0 };
  for (let index = 0; index < worlds; index++) {
    const world = makeWorld(scenarios[0]!, `known truth ${index}`);
    const { shown, labels, greedy } = await logOf(world, version);
    const count = world.variants.length;
    const best = bestOf(world);
    const policies = {
      uniform: () => new Float64Array(count).fill(1 / count),
      greedy,
      fixed: () => Float64Array.from({ length: count }, (_, row) => (row === best ? 1 : 0)),
    };
    for (const name of ['uniform', 'greedy', 'fixed'] as const) {
      off[name] += Math.abs(offBy(world, shown, labels, policies[name])) / worlds;
    }
  }
  return off;
}

/** Plays the engine, and keeps what it logged of what it chose. */
async function logOf(world: World, version: ChoiceVersion) {
  const engine = engineContender(world, { version });
  const labels = new Labels();
  const chosen = new Map<number, { pi: Float64Array; values: Float64Array }>();
  const shown: Shown[] = [];
  const rowOf = new Map(world.variants.map(({ paywall }, row) => [paywall, row]));
  const spy: Contender = {
    ...engine,
    async learn(records: readonly LearningRecord[], now) {
      labels.learn(records, now);
      for (const record of records) {
        if (record.type !== 'shown' || record.side !== 'ai') continue;
        const impression = Number(record.id.slice(1));
        shown.push({ impression, chosen: rowOf.get(record.paywall)!, ...chosen.get(impression)! });
      }
      await engine.learn(records, now);
    },
    choose(impression) {
      const choice = engine.choose(impression);
      chosen.set(impression, { pi: choice.probabilities, values: choice.logValues!.map(Math.exp) });
      return choice;
    },
  };
  await play(world, spy);
  await engine.prepare(world.impressions - 1, world.impressions);
  const greedy = (impression: number) => {
    const logValues = engine.choose(impression).logValues!;
    const best = logValues.indexOf(Math.max(...logValues));
    return logValues.map((_, row) => (row === best ? 1 : 0));
  };
  return { shown: shown.filter(({ impression }) => world.at[impression]! + maturityMs < end), labels, greedy };
}

function offBy(
  world: World,
  shown: readonly Shown[],
  labels: Labels,
  policyOf: (impression: number) => Float64Array,
): number {
  const count = world.variants.length;
  let truth = 0;
  const log = shown.map(({ impression, chosen, pi, values }): LoggedDecision => {
    const policy = policyOf(impression);
    policy.forEach(
      (probability, row) => (truth += (probability * world.usd[impression * count + row]!) / shown.length),
    );
    const profile = `${world.person[impression]}`;
    return { profile, chosen, propensity: pi[chosen]!, policy, expected: values, reward: labels.of(`d${impression}`) };
  });
  const estimate = dros(log);
  return estimate.refused ? Infinity : estimate.value / truth - 1;
}

function bestOf({ usd, variants, impressions }: World): number {
  const sums = variants.map((_, row) => {
    let sum = 0;
    for (let impression = 0; impression < impressions; impression++) sum += usd[impression * variants.length + row]!;
    return sum;
  });
  return sums.indexOf(Math.max(...sums));
}
