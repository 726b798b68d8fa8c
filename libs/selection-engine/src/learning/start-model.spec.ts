import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Dictionary } from '../features/dictionary.ts';
import { FeatureEncoder } from '../features/feature-encoder.ts';
import { PlainAdditiveModel } from '../testing/plain-additive-model.ts';
import { uniform } from '../uniform.ts';
import type { AdditivePriors, Arm } from './additive-model.ts';
import { StartModel, startPriors } from './start-model.ts';

const nothing = { intercept: 1e-12, field: 1e-12 };
const only = (prior: AdditivePriors['shared']): AdditivePriors => ({ shared: prior, arms: nothing, tokens: nothing });

const modelOf = (dictionary: Dictionary, arms: number, tokens: number, priors = startPriors, base = -3.5) => {
  const model = new StartModel(dictionary.groups, priors, base);
  for (let row = 0; row < arms; row++) model.weights.arms.addRow();
  for (let row = 0; row < tokens; row++) model.weights.tokens.addRow();
  return model;
};
const arm: Arm = { row: 0, design: [] };
const intercept = Int32Array.of(0);

describe('one weight', () => {
  const learn = (priors: AdditivePriors, active: Int32Array, dictionary: Dictionary, parts: number) => {
    const model = modelOf(dictionary, 1, 0, priors);
    let starts = 0;
    const exposures = 20_000;
    for (let index = 0; index < exposures; index++) {
      for (let part = 0; part < parts; part++) model.exposure(active, arm, 1 / parts);
      if (uniform(`${index}`, 'start') < 0.04) {
        starts++;
        model.start(active, arm);
      }
    }
    return Math.exp(model.score(active, arm)) / (starts / exposures);
  };

  it('converges to the rate of a Poisson stream, exposures whole or in three parts', () => {
    const dictionary = new Dictionary([]);
    const whole = learn(only({ intercept: 4, field: 1 }), intercept, dictionary, 1);
    const parts = learn(only({ intercept: 4, field: 1 }), intercept, dictionary, 3);
    expect(Math.abs(whole - 1)).toBeLessThan(0.02);
    expect(Math.abs(parts - 1)).toBeLessThan(0.02);
    expect(Math.abs(parts / whole - 1)).toBeLessThan(0.005);
  });

  it('converges too where thirty are always on, though each is taken for more uncertain than it is', () => {
    const fields = Array.from({ length: 29 }, (_, index) => `f${index}`);
    const dictionary = new Dictionary(fields);
    const active = Int32Array.from(new FeatureEncoder(dictionary).learn({}));
    const model = modelOf(dictionary, 1, 0);
    let [starts, expected] = [0, 0];
    const exposures = 100_000;
    for (let index = 0; index < exposures; index++) {
      const counts = index < exposures / 2 ? 0 : 1;
      expected += counts * model.exposure(active, arm, 1);
      if (uniform(`${index}`, 'start') >= 0.04) continue;
      starts += counts;
      model.start(active, arm);
    }
    expect(Math.abs(expected / starts - 1)).toBeLessThan(0.05);
    expect(Math.abs(Math.exp(model.score(active, arm)) / 0.04 - 1)).toBeLessThan(0.3);
  });

  it('moves by closed forms', () => {
    const model = modelOf(new Dictionary([]), 1, 0, only({ intercept: 0.5, field: 1 }), -3);
    const { shared } = model.weights;
    model.start(intercept, arm);
    expect(shared.values('mean')[0]).toBeCloseTo(0.5, 11); // the tilt: M + V
    expect(shared.values('variance')[0]).toBe(0.5);
    expect(shared.values('eta')[0]).toBeCloseTo(1, 10); // V·eta = M
    expect(shared.values('lam')[0]).toBe(0); // a start alone tells nothing of the precision

    expect(model.exposure(intercept, arm, 0.5)).toBeCloseTo(0.5 * Math.exp(-2.5), 12);
    // At the mode z, Lambert's equation: (z - m)/s = -E·e^z, so M' - M = -s·E·e^z and V' = 1/(1/s + E·e^z).
    const z = (shared.values('mean')[0] ?? NaN) - 3;
    expect((z + 2.5) / 0.5).toBeCloseTo(-0.5 * Math.exp(z), 9);
    expect(1 / (shared.values('variance')[0] ?? NaN)).toBeCloseTo(2 + 0.5 * Math.exp(z), 9);
  });

  it('is tilted by at most 1', () => {
    const model = modelOf(new Dictionary([]), 1, 0, only({ intercept: 4, field: 1 }), 0);
    model.start(intercept, arm);
    expect(model.score(intercept, arm)).toBeCloseTo(1, 10);
  });

  it('learns nothing of an exposure of size 0, and refuses other sizes', () => {
    const model = modelOf(new Dictionary([]), 1, 0);
    model.exposure(intercept, arm, 0);
    expect(model.score(intercept, arm)).toBe(-3.5);
    expect(model.weights.shared.values('lam')).toEqual(Float64Array.of(0));
    for (const size of [-0.1, 1.1, NaN]) expect(() => model.exposure(intercept, arm, size)).toThrow(RangeError);
  });
});

describe('the model', () => {
  const event = fc.record({
    values: fc.record({ a: fc.constantFrom('x', 'y', 'z'), b: fc.constantFrom('1', '2') }, { requiredKeys: [] }),
    row: fc.nat({ max: 2 }),
    size: fc.option(fc.double({ min: 0.01, max: 1, noNaN: true })),
  });
  const designs = [[0, 2], [1], []];

  it('agrees with the same equations in plain code', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 120 }), fc.double({ min: -5, max: 3, noNaN: true }), (events, base) => {
        const dictionary = new Dictionary(['a', 'b']);
        const encoder = new FeatureEncoder(dictionary);
        const model = modelOf(dictionary, 3, 3, startPriors, base);
        const plain = new PlainAdditiveModel(base, startPriors);
        for (const { values, row, size } of events) {
          const active = encoder.learn(values);
          const design = designs[row] ?? [];
          const names = design.map(String);
          if (size === null) {
            model.start(active, { row, design });
            plain.start(active, `${row}`, names);
          } else if (plain.mean(active, `${row}`, names) < 0.9) {
            // Above 1 the model damps e^z on purpose.
            model.exposure(active, { row, design }, size);
            plain.exposure(active, `${row}`, names, size);
          }
          const { mean, variance } = model.weights.predict(active, { row, design });
          const weights = plain.active(active, `${row}`, names);
          expect(mean).toBeCloseTo(plain.mean(active, `${row}`, names), 8);
          expect(variance).toBeCloseTo(
            weights.reduce((sum, weight) => sum + weight.variance, 0),
            8,
          );
        }
      }),
    );
  });

  it('keeps mean and variance what eta, lam and tau make of them', () => {
    fc.assert(
      fc.property(fc.array(event, { minLength: 1, maxLength: 60 }), (events) => {
        const dictionary = new Dictionary(['a', 'b']);
        const encoder = new FeatureEncoder(dictionary);
        const model = modelOf(dictionary, 3, 3);
        for (const { values, row, size } of events) {
          const known = { row, design: designs[row] ?? [] };
          if (size === null) model.start(encoder.learn(values), known);
          else model.exposure(encoder.learn(values), known, size);
        }
        for (const block of [model.weights.shared, model.weights.arms, model.weights.tokens]) {
          const [eta, lam, mean] = [block.values('eta'), block.values('lam'), block.values('mean')];
          block.values('variance').forEach((variance, at) => {
            const tau = block.tau(dictionary.groupOf(at % dictionary.size));
            expect(variance * (1 / tau + (lam[at] ?? NaN))).toBeCloseTo(1, 12);
            expect(mean[at]).toBeCloseTo(variance * (eta[at] ?? NaN), 12);
          });
        }
      }),
    );
  });

  it('never makes NaN or a variance of 0, however hot the stream', () => {
    const dictionary = new Dictionary(['a']);
    const model = modelOf(dictionary, 1, 1);
    const active = new FeatureEncoder(dictionary).learn({ a: 'x' });
    for (let index = 0; index < 500; index++) model.start(active, { row: 0, design: [0] });
    for (let index = 0; index < 20_000; index++) model.exposure(active, { row: 0, design: [0] }, 1);
    for (const block of [model.weights.shared, model.weights.arms, model.weights.tokens]) {
      expect(block.values('mean').every(Number.isFinite)).toBe(true);
      expect(block.values('variance').every((variance) => variance > 0)).toBe(true);
    }
  });

  it('knows of an unseen value what the prior says', () => {
    const dictionary = new Dictionary(['a']);
    const model = modelOf(dictionary, 1, 0);
    const active = Int32Array.of(0, -1);
    const { mean, variance } = model.weights.predict(active, arm);
    expect(mean).toBe(-3.5);
    expect(variance).toBeCloseTo(4 + 0.05 + 0.2 + 0.003, 12);
    model.exposure(active, arm, 1); // and learns nothing of it
    expect(dictionary.size).toBe(1);
  });
});
