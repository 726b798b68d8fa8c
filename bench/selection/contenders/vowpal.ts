import { fieldValues, type FieldValues } from '@paywright/selection-engine';
import type { Contender } from '../contender.ts';
import { aiShare, contextOf } from '../log-of-world.ts';
import type { Learned, VowpalProcess } from '../peers/vowpal-process.ts';
import { availableAt, type World } from '../world/world.ts';
import { Labels } from './labels.ts';

const dayMs = 86_400_000;
const shared = '--cb_explore_adf --cb_type mtr -q ca -q cp -b 18';

/** The fixed grid: the best of these is who is compared with. `squarecb` takes no other type than mtr. */
export const vowpalGrid: readonly string[] = [
  ...[100, 1_000].flatMap((gamma) => [0.05, 0.1, 0.5].map((rate) => `--squarecb --gamma_scale ${gamma} -l ${rate}`)),
  ...[0.1, 0.5].map((rate) => `--epsilon .02 -l ${rate}`),
  '--bag 5 --epsilon .02 -l .1',
];

/** Vowpal Wabbit's contextual bandits over the same contexts and designs, on the same projected labels. */
export function vowpalContender(world: World, vowpal: VowpalProcess, options: string): Contender {
  const labels = new Labels();
  const rowOf = new Map(world.variants.map(({ paywall }, row) => [paywall, row]));
  const actions = world.variants.map(({ paywall, design }) => `|a ${paywall} |p ${design.map(plain).join(' ')}`);
  const contextAt = (impression: number) => namespaceOf(fieldValues(contextOf(world, impression), null));
  const waiting: { readonly impression: number; readonly row: number; readonly at: number }[] = [];
  const seen = new Set<string>();
  let chosen = new Map<number, Float64Array>();
  const logged = new Map<number, number>();
  let now = 0;

  const mature = (): Learned[] => {
    const learned: Learned[] = [];
    while (waiting[0] && waiting[0].at + dayMs <= now) {
      const { impression, row } = waiting.shift()!;
      const probability = logged.get(impression * world.variants.length + row) ?? 1;
      const cost = -Math.min(labels.of(`d${impression}`), 150) / 50;
      learned.push([
        contextAt(impression),
        availableAt(world, world.at[impression]!),
        row,
        cost,
        Math.max(0.001, probability),
      ]);
    }
    return learned;
  };
  return {
    name: `vowpal ${options}`,
    learn(records, at) {
      now = at;
      labels.learn(records, at);
      for (const record of records) {
        if (record.type !== 'shown' || seen.has(record.id)) continue;
        seen.add(record.id);
        waiting.push({ impression: Number(record.id.slice(1)), row: rowOf.get(record.paywall)!, at: record.at });
      }
    },
    async prepare(from, to) {
      const impressions = Array.from({ length: to - from }, (_, index) => from + index);
      const learn = mature();
      const predict = impressions.map(
        (impression) => [contextAt(impression), availableAt(world, world.at[impression]!)] as const,
      );
      const last = to === world.impressions;
      const answers = await vowpal.ask({ workspace: `${world.seed} ${options}`, options: `${shared} ${options}`, actions, learn, predict, last }); // prettier-ignore
      chosen = new Map(impressions.map((impression, index) => [impression, normal(answers[index]!)]));
      for (const [impression, probabilities] of chosen) {
        probabilities.forEach((probability, row) => {
          const p = aiShare * probability + (row === world.baseline ? 1 - aiShare : 0);
          logged.set(impression * world.variants.length + row, p);
        });
      }
    },
    choose: (impression) => ({ probabilities: chosen.get(impression)!, logValues: null, promised: null }),
  };
}

const plain = (text: string) => text.replace(/[\s:|]/g, '_');

const namespaceOf = (values: FieldValues) =>
  Object.entries(values)
    .map(([field, value]) => plain(`${field}=${value}`))
    .join(' ');

/** Vowpal's probabilities are single precision: they add up to about 1. */
function normal(probabilities: readonly number[]): Float64Array {
  const total = probabilities.reduce((sum, one) => sum + one, 0);
  return Float64Array.from(probabilities, (one) => one / total);
}
