import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Dictionary } from '../features/dictionary.ts';
import { FeatureEncoder } from '../features/feature-encoder.ts';
import { PlainAdditiveModel } from '../testing/plain-additive-model.ts';
import { uniform } from '../uniform.ts';
import { ValueModel, valuePriors } from './value-model.ts';

const modelOf = (dictionary: Dictionary, arms: number) => {
  const model = new ValueModel(dictionary.groups);
  for (let row = 0; row < arms; row++) model.weights.arms.addRow();
  return model;
};
const countries = ['de', 'fr', 'it'];
const design: readonly number[] = [];

describe('the value of a start', () => {
  it('agrees with the same equations in plain code', () => {
    const row = fc.record({
      country: fc.constantFrom(...countries),
      arm: fc.nat({ max: 2 }),
      label: fc.double({ min: 0, max: 200, noNaN: true }),
    });
    fc.assert(
      fc.property(fc.array(row, { maxLength: 80 }), (rows) => {
        const dictionary = new Dictionary(['country']);
        const encoder = new FeatureEncoder(dictionary);
        const model = modelOf(dictionary, 3);
        const starts = rows.map(({ country, arm, label }) => {
          return { active: Int32Array.from(encoder.learn({ country })), arm: { row: arm, design }, label };
        });
        model.refit(starts);
        const total = rows.reduce((sum, { label }) => sum + label, 30);
        const plain = new PlainAdditiveModel(Math.log(total / (1 + rows.length)), valuePriors);
        for (const { active, arm, label } of starts) plain.payout(active, `${arm.row}`, [], label, 1.2);
        for (const { active, arm } of starts) {
          expect(model.score(active, arm)).toBeCloseTo(plain.mean(active, `${arm.row}`, []), 6);
        }
      }),
      { numRuns: 50 },
    );
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
      return { active, arm: { row: 0, design }, label: pays ? amount : 0 };
    });
    model.refit(starts);
    means.forEach((mean, index) => {
      const active = encoder.learn({ country: countries[index] ?? '' });
      expect(Math.abs(Math.exp(model.score(active, { row: 0, design })) / mean - 1)).toBeLessThan(0.12);
    });
  });

  it('is of the last rows alone, whatever was fitted before', () => {
    const dictionary = new Dictionary(['country']);
    const active = new FeatureEncoder(dictionary).learn({ country: 'de' });
    const row = { active, arm: { row: 0, design }, label: 12 };
    const [once, again] = [modelOf(dictionary, 1), modelOf(dictionary, 1)];
    once.refit([row, row]);
    again.refit([{ ...row, label: 500 }]);
    again.refit([row, row]);
    for (const part of ['eta', 'lam', 'mean', 'variance'] as const) {
      expect(again.weights.arms.values(part)).toEqual(once.weights.arms.values(part));
    }
  });

  it('stays a number for absurd labels, and refuses what is none', () => {
    const dictionary = new Dictionary([]);
    const model = modelOf(dictionary, 1);
    const active = Int32Array.of(0);
    const arm = { row: 0, design };
    model.refit([0, 1e15, 1e-300, 0, 1e300].map((label) => ({ active, arm, label })));
    expect(Number.isFinite(model.score(active, arm))).toBe(true);
    for (const label of [-1, NaN, Infinity]) expect(() => model.payout(active, arm, label)).toThrow(RangeError);
    expect(() => model.refit([{ active, arm, label: -1 }])).toThrow(RangeError);
  });
});
