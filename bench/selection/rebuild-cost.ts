import { tmpdir } from 'node:os';
import { fieldValues, hash64, uniform, type ShownRecord } from '@paywright/selection-engine';
import type { LogEntry } from '@paywright/selection-models';
import { factsOfLearner } from '../../apps/learner/src/rebuilding/facts-of-learner.ts';
import { rebuildModel } from '../../apps/learner/src/rebuilding/rebuild-model.ts';
import { ShuffledExposures } from '../../apps/learner/src/rebuilding/shuffled-exposures.ts';
import { ModelLearner } from '../../apps/learner/src/training/model-learner.ts';
import { factsOf, fields, People } from './world/people.ts';
import { worldStart } from './world/calendar.ts';

/**
 * What a model's nightly rebuild costs: `npm run bench:rebuild -- 200000` makes a log of 180 days with so many exposures
 * of eight variants, learns it as the trainer does, and rebuilds the model of it. Reading the log from Kafka is not in it.
 */
const usage = `What a model's nightly rebuild costs, of a made-up log of 180 days.

  npm run bench:rebuild -- [exposures]     100000, unless said otherwise; at least 1000`;
const args = process.argv.slice(2);
if (args.includes('--help')) {
  console.log(usage);
  process.exit(0);
}
const [asked = '100000', ...more] = args;
const exposures = Number(asked);
if (more.length > 0 || !Number.isSafeInteger(exposures) || exposures < 1_000) {
  console.error(`${args.join(' ')} is no number of exposures that a log is made of.\n\n${usage}`);
  process.exit(2);
}
const days = 180;
const dayMs = 86_400_000;
const stepMs = (days * dayMs) / exposures;
const key = '1/main';
const people = new People('rebuild', worldStart, days);

const arms = Array.from({ length: 8 }, (_, row) => ({
  paywall: `p${row}`,
  design: [`plan:${['week', 'month', 'year'][row % 3]}`, 'trial:no', 'offer:none', 'products:2'],
}));

function shownAt(index: number): ShownRecord {
  const features = new Uint8Array(fields.length);
  const at = Math.floor(worldStart + index * stepMs);
  people.features(index, at, features);
  const values = fieldValues({ facts: factsOf(features, at), at, placementId: 'main' }, null);
  const { high, low } = hash64(`decision ${index}`);
  const id = `${high.toString(16).padStart(8, '0')}-0000-4000-8000-${low.toString(16).padStart(12, '0')}`;
  return { type: 'shown', id, at, paywall: `p${index % 8}`, values, side: 'ai', share: 0.9, logValue: -1 };
}

/** An exposure, and of every thirtieth a purchase. */
function storyOf(shown: ShownRecord, index: number): readonly LogEntry[] {
  if (uniform(shown.id, 'starts') > 1 / 30) return [shown];
  const { id, paywall, values, side, share, logValue } = shown;
  const exposure = { id, at: shown.at, paywall, values, side, share, logValue };
  const at = shown.at + 60_000;
  const chain = `chain ${index}`;
  const bought = { product: 'monthly', plan: 'month', country: 'us', periodDays: 30, trialDays: 0 };
  return [
    shown,
    { type: 'start', id: chain, at, exposure, ...bought },
    { type: 'money', id: `${chain}/1`, chain, at, kind: 'charge', usd: 10, nextChargeUsd: null },
  ];
}

let peak = 0;
const measureMemory = () => {
  peak = Math.max(peak, process.memoryUsage().rss);
};
const megabytes = (bytes: number) => `${Math.round(bytes / 1_048_576)} MB`;
const rate = (ms: number) => `${Math.round(exposures / (ms / 1_000)).toLocaleString('en')} exposures/s`;

let learner = ModelLearner.fresh(key);
learner.apply({ type: 'catalogue', at: worldStart, revision: 1, horizonDays: days, arms });
await using shuffled = await ShuffledExposures.open(tmpdir(), key);
let [learnMs, shuffleMs, tick] = [0, 0, 0];
for (let index = 0; index < exposures; index++) {
  const shown = shownAt(index);
  const begun = performance.now();
  const minute = Math.floor(shown.at / 600_000) * 600_000;
  if (minute > tick) learner.apply({ type: 'tick', at: (tick = minute) });
  for (const entry of storyOf(shown, index)) learner.apply(entry);
  learner.takeSnapshot();
  const learned = performance.now();
  await shuffled.add(shown);
  learnMs += learned - begun;
  shuffleMs += performance.now() - learned;
}
const checkpoint = learner.checkpoint();
learner = ModelLearner.restore(checkpoint);
globalThis.gc?.();
const before = process.memoryUsage().rss;
const begun = performance.now();
const { promotion, exposures: rebuilt } = await rebuildModel(learner, factsOfLearner(learner), shuffled, async () =>
  measureMemory(),
);
measureMemory();
const ms = performance.now() - begun;
console.log(
  `${rebuilt.toLocaleString('en')} exposures of ${days} days, ${learner.report().starts.toLocaleString('en')} starts`,
);
console.log(`learned by the live model, ticks and snapshots included: ${rate(learnMs)}`);
console.log(`shuffled to the disk: ${rate(shuffleMs)}, ${megabytes(shuffled.bytes)}`);
console.log(`rebuilt and judged by ${promotion.exposures} exposures: ${(ms / 1_000).toFixed(1)} s, ${rate(ms)}`);
console.log(
  `resident memory: ${megabytes(before)} before, ${megabytes(peak)} at most; the live model's checkpoint has ${megabytes(checkpoint.length)}`,
);
