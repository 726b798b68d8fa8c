import { Dictionary } from '../features/dictionary.ts';
import { FeatureEncoder } from '../features/feature-encoder.ts';
import type { FieldValues } from '../features/field-values.ts';
import { ExposureHistory, placesOf } from '../learning/exposure-history.ts';
import { StartFit } from '../learning/start-fit.ts';
import { StartModel } from '../learning/start-model.ts';
import { ValueModel, type LabelledStart } from '../learning/value-model.ts';
import { engineVersion, snapshotWeights, uncalibrated, type ModelSnapshot } from '../snapshot/model-snapshot.ts';
import { uniform } from '../uniform.ts';

const tokens = ['plan:week', 'plan:year', 'trial:yes', 'trial:no'];

/** Models that learned from a made-up stream: paywalls `p0`, `p1` …, of which each country likes another best. */
export function sampleModel({ arms = 4, exposures = 4_000 } = {}) {
  const dictionary = new Dictionary(['country', 'os', 'dayBlock']);
  const encoder = new FeatureEncoder(dictionary);
  const [starts, values] = [new StartModel(dictionary.groups), new ValueModel(dictionary)];
  const table = Array.from({ length: arms }, (_, row) => ({
    paywall: `p${row}`,
    design: [row % 2, 2 + (row % 3 === 0 ? 1 : 0)],
  }));
  for (const { weights } of [starts, values]) {
    table.forEach(() => weights.arms.addRow());
    tokens.forEach(() => weights.tokens.addRow());
  }
  const history = new ExposureHistory();
  const payouts: LabelledStart[] = [];
  for (let index = 0; index < exposures; index++) {
    const u = (purpose: string) => uniform(`${index}`, purpose);
    const [country, row] = [Math.floor(6 * u('country')), Math.floor(arms * u('arm'))];
    const active = encoder.learn(contextValues(country, Math.floor(3 * u('os'))));
    const isStart = u('start') <= (country % arms === row ? 0.1 : 0.04);
    history.add({ places: placesOf(active, dictionary.places), arm: row, size: 1, starts: isStart ? 1 : 0 });
    if (isStart) payouts.push({ active: active.slice(), arm: row, label: 20 * (1 + row) * u('amount') });
  }
  const designs = table.map(({ design }) => design);
  values.refit(payouts, designs);
  const fit = new StartFit(starts.weights, [history], dictionary.groups, designs);
  for (let swept = 0; swept < 8; swept++) fit.sweep();
  fit.finish();
  const groups = dictionary.fields.length + 1;
  const { fields, entries } = dictionary.state();
  const snapshot: ModelSnapshot = {
    engine: engineVersion,
    learnedUntil: exposures,
    catalogRevision: 3,
    horizonDays: 180,
    exposures,
    fields,
    entries,
    tokens,
    arms: table,
    starts: snapshotWeights(starts.weights, groups),
    values: snapshotWeights(values.weights, groups),
    calibration: uncalibrated,
  };
  return { dictionary, encoder, starts, values, table, snapshot };
}

const contextValues = (country: number, os: number): FieldValues => ({ country: `c${country}`, os: `os ${os}` });

/** Candidates `p0` … with rising integers. */
export const candidatesOf = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    paywall: `p${index}`,
    paywallId: 10 + index,
    externalId: `p${index}`,
  }));
