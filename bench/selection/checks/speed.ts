import {
  decodeSnapshot,
  drawIndex,
  ExposureHistory,
  placesOf,
  FeatureEncoder,
  encodeSnapshot,
  learnedPolicy,
  StartFit,
  Trainer,
  uniform,
  fieldValues,
  type ContextFacts,
} from '@paywright/selection-engine';
import type { Figure } from '../../figure.ts';
import { worldStart } from '../world/calendar.ts';
import { factsOf, People, fields } from '../world/people.ts';

const hourMs = 3_600_000;
const decisions = 20_000;
const fitted = 100_000;

/** A context of the usual 14 fields and six custom ones, and as many more. */
function contextOf(people: People, index: number, more: number) {
  const features = new Uint8Array(fields.length);
  const at = worldStart + (index % 1_000) * hourMs;
  people.features(index, at, features);
  const facts = factsOf(features, at);
  const custom: Record<string, string> = { ...facts.custom };
  for (let extra = 0; extra < more; extra++)
    custom[`extra${extra}`] = `x${Math.floor(9 * uniform(`${index}`, `${extra}`))}`;
  return { facts: { ...facts, custom } satisfies ContextFacts, at, placementId: 'main' };
}

/** A model that has learned from some thousand exposures, and contexts that it has not met. */
function learned(arms: number, more: number) {
  const people = new People('speed', worldStart, 60);
  const trainer = Trainer.fresh('speed');
  const candidates = Array.from({ length: arms }, (_, row) => ({
    paywall: `p${row}`,
    paywallId: row,
    externalId: `p${row}`,
  }));
  const design = (row: number) => [
    `plan:${['week', 'month', 'year'][row % 3]}`,
    `trial:${row % 2 ? 'yes' : 'no'}`,
    'offer:none',
    'products:2',
  ];
  trainer.apply({ type: 'catalogue', at: worldStart, revision: 1, horizonDays: 180, arms: candidates.map(({ paywall }, row) => ({ paywall, design: design(row) })) }); // prettier-ignore
  trainer.apply({ type: 'tick', at: worldStart });
  for (let index = 0; index < 5_000; index++) {
    const context = contextOf(people, index, more);
    const values = fieldValues(context, null);
    trainer.apply({ type: 'shown', id: `d${index}`, at: worldStart + index, paywall: `p${index % arms}`, values, side: 'ai', share: 0.9, logValue: 0 }); // prettier-ignore
  }
  trainer.apply({ type: 'tick', at: worldStart + 2 * hourMs });
  const bytes = encodeSnapshot(trainer.snapshot());
  const policy = learnedPolicy('speed', decodeSnapshot(bytes));
  const contexts = Array.from({ length: 4_000 }, (_, index) => contextOf(people, 5_000 + index, more));
  return { trainer, policy, candidates, contexts, bytes };
}

/** Microseconds of each decision: encode, score, choose, draw. */
function decisionTimes(arms: number, more: number): Float64Array {
  const { policy, candidates, contexts } = learned(arms, more);
  const times = new Float64Array(decisions);
  for (let index = -decisions; index < decisions; index++) {
    const began = performance.now();
    const { probabilities } = policy.choose(contexts[(index + decisions) % contexts.length]!, candidates);
    drawIndex(probabilities, uniform(`${index}`, 'arm/0'));
    if (index >= 0) times[index] = (performance.now() - began) * 1_000;
  }
  return times.sort();
}

/** Exposures that a fit takes in a second: two sweeps over all weights, and what they say of the priors. */
function fitRate(arms: number): number {
  const { trainer, contexts } = learned(arms, 0);
  const { dictionary, starts, arms: table } = trainer.state;
  const encoder = new FeatureEncoder(dictionary);
  const history = new ExposureHistory();
  for (let index = 0; index < fitted; index++) {
    const active = encoder.assign(fieldValues(contexts[index % contexts.length]!, null));
    history.add({ places: placesOf(active, dictionary.places), arm: index % arms, size: 1, starts: uniform(`${index}`, 'start') < 0.03 ? 1 : 0 }); // prettier-ignore
  }
  let best = 0;
  for (let round = 0; round < 5; round++) {
    const began = performance.now();
    const fit = new StartFit(starts.weights, [history], dictionary.groups, table.designs);
    for (let swept = 0; swept < 2; swept++) fit.sweep();
    fit.learnVariances();
    fit.finish();
    best = Math.max(best, fitted / ((performance.now() - began) / 1_000));
  }
  return best;
}

const at = (times: Float64Array, share: number) => times[Math.floor(share * times.length)]!;

export function speedFigures(): readonly Figure[] {
  const [few, many, wide] = [decisionTimes(8, 0), decisionTimes(20, 0), decisionTimes(20, 20)];
  const [fewFitted, manyFitted] = [fitRate(8), fitRate(20)];
  const figure = (row: string, what: string, value: number, unit: string, must: number, better: Figure['better']): Figure => ({ row, what, value, unit, must, better }); // prettier-ignore
  return [
    figure('T10', 'a decision among 8, p99', at(few, 0.99), 'µs', 100, 'lower'),
    figure('T10', 'a decision among 20, p99', at(many, 0.99), 'µs', 250, 'lower'),
    figure('T10', 'a decision among 20, 40 fields, p99', at(wide, 0.99), 'µs', 250, 'lower'),
    figure('T11', 'exposures that a fit takes in, 8 variants', fewFitted, '/s', 200_000, 'higher'),
    figure('T12', 'a decision among 20 over one among 8, median', at(many, 0.5) / at(few, 0.5), 'x', 2.6, 'lower'),
    figure('T12', '40 fields over 20, median', at(wide, 0.5) / at(many, 0.5), 'x', 2, 'lower'),
    figure('T12', 'a fit with 20 variants over one with 8', fewFitted / manyFitted, 'x', 1.25, 'lower'),
  ];
}
