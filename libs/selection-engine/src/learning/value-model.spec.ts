import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Dictionary } from '../features/dictionary.ts';
import { FeatureEncoder } from '../features/feature-encoder.ts';
import { uniform } from '../uniform.ts';
import { dispersion, ValueModel } from './value-model.ts';

const modelOf = (dictionary: Dictionary, arms: number, tokens = 0) => {
  const model = new ValueModel(dictionary);
  for (let row = 0; row < arms; row++) model.weights.arms.addRow();
  for (let row = 0; row < tokens; row++) model.weights.tokens.addRow();
  return model;
};
const countries = ['de', 'fr', 'it'];
const designs = [[0, 2], [1, 2], []];

describe('the value of a start', () => {
  it('is where prior and quasi-likelihood are in balance, for every weight', () => {
    const row = fc.record({
      country: fc.constantFrom(...countries),
      arm: fc.nat({ max: 2 }),
      label: fc.double({ min: 0, max: 200, noNaN: true }),
    });
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 80 }), (rows) => {
        const dictionary = new Dictionary(['country']);
        const encoder = new FeatureEncoder(dictionary);
        const model = modelOf(dictionary, 3, 3);
        const starts = rows.map(({ country, arm, label }) => {
          return { active: Int32Array.from(encoder.learn({ country })), arm, label };
        });
        model.refit(starts, designs);
        const { shared, arms, tokens, base } = model.weights;
        expect(base).toBeCloseTo(Math.log(rows.reduce((sum, { label }) => sum + label, 30) / (1 + rows.length)), 10);
        const due = starts.map((one) => {
          const known = { row: one.arm, design: designs[one.arm]! };
          return { ...one, surprise: (one.label / Math.exp(model.score(one.active, known)) - 1) / dispersion };
        });
        for (const [block, belongs] of [
          [shared, () => true],
          [arms, (arm: number, row: number) => arm === row],
          [tokens, (arm: number, row: number) => designs[arm]?.includes(row) ?? false],
        ] as const) {
          const [means, lams] = [block.values('mean'), block.values('lam')];
          const columns = means.length / block.rows;
          means.forEach((mean, at) => {
            const [row, column] = [Math.floor(at / columns), at % columns];
            const those = due.filter(({ arm, active }) => belongs(arm, row) && active.includes(column));
            const surprise = those.reduce((sum, one) => sum + one.surprise, 0);
            // Ten sweeps leave it near, not there.
            expect(Math.abs(surprise - mean / block.tau(dictionary.groupOf(column)))).toBeLessThan(0.02 + 0.02 * those.length); // prettier-ignore
            expect(lams[at]).toBeCloseTo(those.length / dispersion, 8);
          });
        }
      }),
      { numRuns: 50 },
    );
  });

  it('is known the better, the more starts there are, whatever order they came in', () => {
    const dictionary = new Dictionary(['country']);
    const encoder = new FeatureEncoder(dictionary);
    const starts = Array.from({ length: 2_000 }, (_, index) => {
      const active = Int32Array.from(encoder.learn({ country: countries[index % 3] ?? '' }));
      return { active, arm: index % 2, label: -40 * Math.log(1 - uniform(`${index}`, 'label')) };
    });
    const [forth, back] = [modelOf(dictionary, 2), modelOf(dictionary, 2)];
    forth.refit(starts, [[], []]);
    back.refit(starts.toReversed(), [[], []]);
    const active = encoder.encode({ country: 'de' });
    for (const row of [0, 1]) {
      const score = forth.score(active, { row, design: [] });
      expect(back.score(active, { row, design: [] })).toBeCloseTo(score, 9);
      expect(Math.abs(Math.exp(score) / 40 - 1)).toBeLessThan(0.1);
    }
  });

  it('finds means that differ by country, zeros among the labels', () => {
    const dictionary = new Dictionary(['country']);
    const encoder = new FeatureEncoder(dictionary);
    const model = modelOf(dictionary, 1);
    const means = [10, 40, 80];
    const starts = Array.from({ length: 9_000 }, (_, index) => {
      const pays = uniform(`${index}`, 'pays') < 0.5;
      const amount = 4 * uniform(`${index}`, 'amount') * (means[index % 3] ?? 0);
      const active = Int32Array.from(encoder.learn({ country: countries[index % 3] ?? '' }));
      return { active, arm: 0, label: pays ? amount : 0 };
    });
    model.refit(starts, [[]]);
    means.forEach((mean, index) => {
      const active = encoder.learn({ country: countries[index] ?? '' });
      expect(Math.abs(Math.exp(model.score(active, { row: 0, design: [] })) / mean - 1)).toBeLessThan(0.12);
    });
  });

  it('comes to what the last rows say, whatever was fitted before', () => {
    const dictionary = new Dictionary(['country']);
    const active = new FeatureEncoder(dictionary).learn({ country: 'de' });
    const row = { active, arm: 0, label: 12 };
    const known = Float64Array.from({ length: dictionary.size }, (_, column) => 0.1 * column);
    const [once, again] = [modelOf(dictionary, 1), modelOf(dictionary, 1)];
    again.refit([{ ...row, label: 500 }], [[]]);
    const scoreOf = (model: ValueModel) => model.score(active, { row: 0, design: [] });
    for (let fits = 0; fits < 12; fits++) for (const model of [once, again]) model.refit([row, row], [[]], known);
    expect(scoreOf(again)).toBeCloseTo(scoreOf(once), 6);
  });

  it('is near the optimum behind some fits of rows that grow, where who comes goes with what is shown', () => {
    const names = ['country', 'device', 'language', 'source', 'version', 'weekday'];
    const dictionary = new Dictionary(names);
    const encoder = new FeatureEncoder(dictionary);
    const arms = 6;
    const starts = Array.from({ length: 3_000 }, (_, index) => {
      const arm = index % arms;
      const valueOf = (name: string) => {
        const goesAlong = uniform(`${index}`, `${name} along`) < 0.7;
        return `v${goesAlong ? arm : Math.floor(12 * uniform(`${index}`, name))}`;
      };
      const active = Int32Array.from(encoder.learn(Object.fromEntries(names.map((name) => [name, valueOf(name)]))));
      return { active, arm, label: -20 * (1 + arm) * Math.log(1 - uniform(`${index}`, 'label')) };
    });
    const tokens = Array.from({ length: arms }, (_, arm) => [arm % 2, 2 + (arm % 3)]);
    const known = Float64Array.from({ length: arms * dictionary.size }, (_, at) => 0.05 * (at % 5));
    const [grown, fitted] = [modelOf(dictionary, arms, 5), modelOf(dictionary, arms, 5)];
    for (let count = 2_400; count <= starts.length; count += 60) grown.refit(starts.slice(0, count), tokens, known);
    for (let fits = 0; fits < 60; fits++) fitted.refit(starts, tokens, known);
    const worst = starts.reduce((most, { active, arm }) => {
      const [one, other] = [grown, fitted].map((model) => model.score(active, { row: arm, design: tokens[arm]! }));
      return Math.max(most, Math.abs(one! - other!));
    }, 0);
    expect(worst).toBeLessThan(0.01);
  });

  it('stays a number for absurd labels and for none, and refuses what is no label', () => {
    const dictionary = new Dictionary([]);
    const model = modelOf(dictionary, 1);
    const active = Int32Array.of(0);
    const arm = { row: 0, design: [] };
    for (const labels of [[0, 1e15, 1e-300, 0, 1e300], [0, 0, 0], []]) {
      model.refit(
        labels.map((label) => ({ active, arm: 0, label })),
        [[]],
      );
      expect(Number.isFinite(model.score(active, arm))).toBe(true);
    }
    for (const label of [-1, NaN, Infinity]) expect(() => model.refit([{ active, arm: 0, label }], [[]])).toThrow(RangeError); // prettier-ignore
  });
});
