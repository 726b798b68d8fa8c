import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Dictionary } from '../features/dictionary.ts';
import { FeatureEncoder } from '../features/feature-encoder.ts';
import { denseFit } from '../testing/dense-fit.ts';
import { randomNumbers } from '../testing/random-numbers.ts';
import { standardNormals } from '../testing/standard-normals.ts';
import { noMeans } from './additive-model.ts';
import { ExposureHistory, placesOf, type Observation } from './exposure-history.ts';
import { StartFit } from './start-fit.ts';
import { StartModel, startPriors } from './start-model.ts';

// The same kind of token stands at other places of these designs, as it does where a paywall has no products.
const designs = [[0, 2], [1, 2], [3], []];
const values = fc.record({ a: fc.constantFrom('x', 'y', 'z'), b: fc.constantFrom('1', '2') }, { requiredKeys: [] });
const event = fc.record({ values, arm: fc.nat({ max: 3 }), size: fc.double({ min: 0.1, max: 1, noNaN: true }), starts: fc.constantFrom(0, 0, 0, 1, 2) }); // prettier-ignore

const four = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 4, maxLength: 4 });

function modelOf(dictionary: Dictionary): StartModel {
  const model = new StartModel(dictionary.groups);
  for (const block of [model.weights.arms, model.weights.tokens]) for (let row = 0; row < 4; row++) block.addRow();
  return model;
}

function fit(
  model: StartModel,
  seen: readonly Observation[],
  dictionary: Dictionary,
  sweeps: number,
  brings = noMeans,
): void {
  // prettier-ignore
  const history = new ExposureHistory();
  for (const one of seen) history.add(one);
  const starts = new StartFit(model.weights, [history], dictionary.groups, designs, brings);
  for (let sweep = 0; sweep < sweeps; sweep++) starts.sweep();
  starts.finish();
}

const observe = (events: readonly (Omit<Observation, 'places'> & { readonly values: object })[]) => {
  const dictionary = new Dictionary(['a', 'b']);
  const encoder = new FeatureEncoder(dictionary);
  const seen = events.map(({ values: known, ...one }) => {
    const active = encoder.learn({ ...known }).slice();
    return { ...one, active, places: placesOf(active, dictionary.places) };
  });
  return { dictionary, seen };
};

describe('a fit', () => {
  it('is what Newton’s method finds on all weights at once', () => {
    fc.assert(
      fc.property(fc.array(event, { minLength: 1, maxLength: 60 }), four, four, (events, ofArms, ofTokens) => {
        const { dictionary, seen } = observe(events);
        const model = modelOf(dictionary);
        fit(model, seen, dictionary, 400, { arms: ofArms, tokens: ofTokens });
        const { shared, arms, tokens, base } = model.weights;
        const columns = dictionary.size;
        const blocks = [shared, arms, tokens];
        const from = [0, columns, columns * 5];
        const precisions = blocks.flatMap((block) => Array.from(block.values('mean'), (_, at) => 1 / block.tau(dictionary.groupOf(at % columns)))); // prettier-ignore
        const isIntercept = (at: number) => at % columns === 0;
        const brings = [[], ofArms, ofTokens];
        const priorMeans = blocks.flatMap((block, index) => Array.from(block.values('mean'), (_, at) => (isIntercept(at) ? -(brings[index]![at / columns] ?? 0) : 0))); // prettier-ignore
        const reference = denseFit(
          precisions,
          seen.map(({ active, arm, size, starts }) => {
            const rows = [from[0]!, from[1]! + arm * columns, ...designs[arm]!.map((token) => from[2]! + token * columns)]; // prettier-ignore
            const expected = (sum: number) => size * Math.exp(base + sum);
            return {
              weights: rows.flatMap((row) => Array.from(active, (column) => row + column)),
              slope: (sum: number) => starts - expected(sum),
              curvature: expected,
            };
          }),
          priorMeans,
        );
        blocks
          .flatMap((block) => Array.from(block.values('mean')))
          .forEach((mean, at) => expect(mean).toBeCloseTo(reference[at]!, 5));
        const due = seen.map((one) => one.size * Math.exp(model.score(one.active, { row: one.arm, design: designs[one.arm]! }))); // prettier-ignore
        arms.values('lam').forEach((lam, at) => {
          const [row, column] = [Math.floor(at / columns), at % columns];
          const those = due.filter((_, index) => seen[index]!.arm === row && seen[index]!.active.includes(column));
          const expected = those.reduce((sum, one) => sum + one, 0);
          expect(lam).toBeCloseTo(expected, 4);
        });
      }),
      { numRuns: 20 },
    );
  });

  it('is the same from wherever it starts and in whatever order', () => {
    fc.assert(
      fc.property(fc.array(event, { minLength: 1, maxLength: 60 }), (events) => {
        const { dictionary, seen } = observe(events);
        const [model, learned] = [modelOf(dictionary), modelOf(dictionary)];
        fit(learned, seen.slice(0, 1 + seen.length / 2), dictionary, 3);
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

  it('thinks that all variants bring alike until it knows', () => {
    const { dictionary, seen } = observe([{ values: { a: 'x' }, arm: 3, size: 1, starts: 0 }]);
    const model = modelOf(dictionary);
    fit(model, seen, dictionary, 100, { arms: [0.7, 0, 0, 0], tokens: [-0.4, 0.3, 0, 0] });
    const { arms, tokens } = model.weights.intercepts();
    const brought = [0.7 - 0.4, 0.3].map((value, arm) => value + arms[arm]! + designs[arm]!.reduce((sum, token) => sum + tokens[token]!, 0)); // prettier-ignore
    for (const usd of brought) expect(usd).toBeCloseTo(0, 9);
  });

  /** People who are shown four variants; their two fields, and how a start's chance follows from values and variant. */
  function learnedTaus(
    chance: (values: readonly [number, number], arm: number) => number,
    designs: readonly number[][],
  ) {
    const next = randomNumbers(7);
    const kinds = ['p', 'q', 'r', 's', 't'];
    const people = Array.from({ length: 20_000 }, () => {
      const [a, b, arm] = [5, 5, 4].map((count) => Math.floor(count * next())) as [number, number, number];
      return { values: { a: kinds[a]!, b: kinds[b]! }, arm, size: 1, starts: next() < chance([a, b], arm) ? 1 : 0 };
    });
    const { dictionary, seen } = observe(people);
    const history = new ExposureHistory();
    for (const one of seen) history.add(one);
    const model = modelOf(dictionary);
    for (let round = 0; round < 12; round++) {
      const starts = new StartFit(model.weights, [history], dictionary.groups, designs);
      for (let step = 0; step < 2 * starts.groups; step++) starts.fitGroup(step % starts.groups);
      starts.learnVariances();
      starts.finish();
    }
    return model.weights.arms.taus(3);
  }

  it('learns by which field variants are liked differently, and by which they are not', () => {
    const normal = standardNormals(8);
    const tastes = Array.from({ length: 5 }, () => Array.from({ length: 4 }, () => 0.4 * normal()));
    const [, liked = 0, noise = 0] = learnedTaus(([a], arm) => 0.08 * Math.exp(tastes[a]![arm]!), [[], [], [], []]);
    expect(liked).toBeGreaterThan(3 * noise);
    expect(4 * liked).toBeGreaterThan(0.05);
  });

  it('finds no taste where people differ, and variants and their tokens, but not in what they like', () => {
    const taus = learnedTaus(([a, b], arm) => 0.02 * 1.4 ** a * 0.9 ** b * 1.5 ** arm, [[0, 2], [0, 3], [1, 2], [1, 3]]); // prettier-ignore
    for (const tau of taus.slice(1)) expect(tau).toBeLessThan(startPriors.arms.field / 4);
  });
});
