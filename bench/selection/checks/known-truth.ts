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

/** What each estimate's error may be at most. */
const policies = {
  uniform: { what: 'even shares', must: 0.05 },
  greedy: { what: 'greedy on the last model', must: 0.08 },
  fixed: { what: 'best fixed variant', must: 0.18 },
};
type PolicyName = keyof typeof policies;

/** How far the estimates of three policies are off, as a share of the truth. */
type Errors = Record<PolicyName, number>;

/**
 * Estimates from the engine's own log of S1, whose truth the world knows: three policies that it might have been, means
 * over worlds. The targets are of a floor of 1 %, which `learned-1` keeps; beside them those of the floor as it is served.
 */
export async function knownTruthFigures(): Promise<readonly Figure[]> {
  const kept: Errors[] = [];
  const served: Errors[] = [];
  for (let index = 0; index < worlds; index++) {
    const world = makeWorld(scenarios[0]!, `known truth ${index}`);
    kept.push(await errorsIn(world, 'learned-1'));
    served.push(await errorsIn(world, choiceVersion));
  }
  return (Object.keys(policies) as PolicyName[]).flatMap((name): Figure[] => {
    const { what, must } = policies[name];
    const figure = { row: 'T15', unit: '', better: 'lower' } as const;
    const error = (all: readonly Errors[]) => all.reduce((sum, errors) => sum + errors[name], 0) / worlds;
    return [
      { ...figure, what: `S1 log, ${what}: relative error`, value: error(kept), must },
      { ...figure, what: `S1 log, floor as served, ${what}: relative error`, value: error(served) },
    ];
  });
}

async function errorsIn(world: World, version: ChoiceVersion): Promise<Errors> {
  const { shown, labels, greedy } = await logOf(world, version);
  const count = world.variants.length;
  const best = bestOf(world);
  const error = (policyOf: (impression: number) => Float64Array) => Math.abs(offBy(world, shown, labels, policyOf));
  return {
    uniform: error(() => new Float64Array(count).fill(1 / count)),
    greedy: error(greedy),
    fixed: error(() => Float64Array.from({ length: count }, (_, row) => (row === best ? 1 : 0))),
  };
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
