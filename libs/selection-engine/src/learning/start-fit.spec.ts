import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Dictionary } from '../features/dictionary.ts';
import { FeatureEncoder } from '../features/feature-encoder.ts';
import { randomNumbers } from '../testing/random-numbers.ts';
import { standardNormals } from '../testing/standard-normals.ts';
import { ExposureHistory, type Observation } from './exposure-history.ts';
import { StartFit } from './start-fit.ts';
import { StartModel } from './start-model.ts';

// The same kind of token stands at other places of these designs, as it does where a paywall has no products.
const designs = [[0, 2], [1, 2], [3], []];
const values = fc.record({ a: fc.constantFrom('x', 'y', 'z'), b: fc.constantFrom('1', '2') }, { requiredKeys: [] });
const event = fc.record({ values, arm: fc.nat({ max: 3 }), size: fc.double({ min: 0.1, max: 1, noNaN: true }), starts: fc.constantFrom(0, 0, 0, 1, 2) }); // prettier-ignore

function modelOf(dictionary: Dictionary): StartModel {
  const model = new StartModel(dictionary.groups);
  for (const block of [model.weights.arms, model.weights.tokens]) for (let row = 0; row < 4; row++) block.addRow();
  return model;
}

function fit(model: StartModel, seen: readonly Observation[], dictionary: Dictionary, sweeps: number): void {
  const history = new ExposureHistory();
  for (const one of seen) history.add(one, dictionary.places);
  const starts = new StartFit(model.weights, history, dictionary.groups, designs);
  for (let sweep = 0; sweep < sweeps; sweep++)
    for (let group = 0; group < starts.groups; group++) starts.fitGroup(group);
  starts.finish();
}

const observe = (events: readonly (Omit<Observation, 'active'> & { readonly values: object })[]) => {
  const dictionary = new Dictionary(['a', 'b']);
  const encoder = new FeatureEncoder(dictionary);
  const seen = events.map(({ values: known, ...one }) => ({ ...one, active: encoder.learn({ ...known }).slice() }));
  return { dictionary, seen };
};

describe('a fit', () => {
  it('is where prior and likelihood are in balance, for every weight', () => {
    fc.assert(
      fc.property(fc.array(event, { minLength: 1, maxLength: 60 }), (events) => {
        const { dictionary, seen } = observe(events);
        const model = modelOf(dictionary);
        fit(model, seen, dictionary, 400);
        const { shared, arms, tokens } = model.weights;
        const columns = dictionary.size;
        const due = seen.map((one) => ({ ...one, due: one.size * Math.exp(model.score(one.active, { row: one.arm, design: designs[one.arm]! })) })); // prettier-ignore
        for (const [block, belongs] of [
          [shared, () => true],
          [arms, (arm: number, row: number) => arm === row],
          [tokens, (arm: number, row: number) => designs[arm]?.includes(row) ?? false],
        ] as const) {
          const [means, lams] = [block.values('mean'), block.values('lam')];
          means.forEach((mean, at) => {
            const [row, column] = [Math.floor(at / columns), at % columns];
            const those = due.filter(({ arm, active }) => belongs(arm, row) && active.includes(column));
            const expected = those.reduce((sum, one) => sum + one.due, 0);
            const starts = those.reduce((sum, one) => sum + one.starts, 0);
            expect(starts - expected).toBeCloseTo(mean / block.tau(dictionary.groupOf(column)), 4);
            expect(lams[at]).toBeCloseTo(expected, 4);
          });
        }
      }),
      { numRuns: 30 },
    );
  });

  it('is the same from wherever it starts and in whatever order', () => {
    fc.assert(
      fc.property(fc.array(event, { minLength: 1, maxLength: 60 }), (events) => {
        const { dictionary, seen } = observe(events);
        const [model, learned] = [modelOf(dictionary), modelOf(dictionary)];
        for (const { active, arm } of seen) learned.exposure(active, { row: arm, design: designs[arm]! }, 1);
        fit(model, seen, dictionary, 400);
        fit(learned, seen.toReversed(), dictionary, 400);
        const means = model.weights.arms.values('mean');
        learned.weights.arms.values('mean').forEach((mean, at) => expect(mean).toBeCloseTo(means[at]!, 5));
      }),
      { numRuns: 20 },
    );
  });

  it('of nothing is the prior, and never NaN where everything starts', () => {
    const { dictionary } = observe([]);
    const model = modelOf(dictionary);
    fit(model, [], dictionary, 3);
    expect(model.weights.arms.values('mean').every((mean) => mean === 0)).toBe(true);
    const hot = Array.from({ length: 200 }, () => ({ values: { a: 'x' }, arm: 0, size: 0.1, starts: 2 }));
    const observed = observe(hot);
    const fitted = modelOf(observed.dictionary);
    fit(fitted, observed.seen, observed.dictionary, 3);
    for (const name of ['mean', 'variance'] as const) expect(fitted.weights.shared.values(name).every(Number.isFinite)).toBe(true); // prettier-ignore
  });

  it('learns by which field variants are liked differently, and by which they are not', () => {
    const [next, normal] = [randomNumbers(7), standardNormals(8)];
    const kinds = ['p', 'q', 'r', 's', 't'];
    const plain: readonly number[][] = [[], [], [], []];
    const tastes = kinds.map(() => plain.map(() => 0.4 * normal()));
    const people = Array.from({ length: 20_000 }, () => {
      const [a, b, arm] = [5, 5, plain.length].map((count) => Math.floor(count * next())) as [number, number, number];
      const starts = next() < 0.08 * Math.exp(tastes[a]![arm]!) ? 1 : 0;
      return { values: { a: kinds[a]!, b: kinds[b]! }, arm, size: 1, starts };
    });
    const { dictionary, seen } = observe(people);
    const history = new ExposureHistory();
    for (const one of seen) history.add(one, dictionary.places);
    const model = modelOf(dictionary);
    for (let round = 0; round < 8; round++) {
      const starts = new StartFit(model.weights, history, dictionary.groups, plain);
      for (let step = 0; step < 8 * starts.groups; step++) starts.fitGroup(step % starts.groups);
      starts.finish();
      starts.learnVariances();
    }
    const [, liked = 0, noise = 0] = model.weights.arms.taus(3);
    expect(liked).toBeGreaterThan(3 * noise);
    expect(liked).toBeGreaterThan(0.03);
  });
});
