import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Block } from './block.ts';

const groups = [0, 1, 2, 1, 2, 1];
/** A block of three rows, fitted: of every weight its mean, and the precision that its data give it. */
const fitted = (weights: readonly (readonly [mean: number, precision: number])[]) => {
  const block = new Block({ intercept: 0.2, field: 0.05 }, groups);
  for (let row = 0; row < 3; row++) block.addRow();
  const [means, precisions] = [0, 1].map((part) => Float64Array.from({ length: 18 }, (_, at) => weights[at]?.[part] ?? 0)); // prettier-ignore
  block.setFitted(means!, precisions!);
  return block;
};
const weight = fc.tuple(fc.double({ min: -2, max: 2, noNaN: true }), fc.double({ min: 0, max: 300, noNaN: true }));
const weights = fc.array(weight, { maxLength: 18 });

describe('another tau', () => {
  it('is exact: mean and variance follow from the data’s precision', () => {
    fc.assert(
      fc.property(weights, fc.double({ min: 1e-4, max: 2, noNaN: true }), (list, tau) => {
        const block = fitted(list);
        const [eta, lam] = [block.values('eta'), block.values('lam')];
        block.setTau(1, tau);
        expect([block.values('eta'), block.values('lam')]).toEqual([eta, lam]);
        block.values('variance').forEach((variance, at) => {
          if (groups[at % groups.length] !== 1) return;
          expect(variance).toBe(1 / (1 / tau + (lam[at] ?? NaN)));
          expect(block.values('mean')[at]).toBe(variance * (eta[at] ?? NaN));
        });
      }),
    );
  });

  it('and back is what it was', () => {
    fc.assert(
      fc.property(weights, (list) => {
        const block = fitted(list);
        block.setTau(1, 0.05);
        const before = [block.values('mean'), block.values('variance')];
        block.setTau(1, 1e-5);
        expect(block.values('variance').every((variance) => variance > 0)).toBe(true);
        block.setTau(1, 0.05);
        expect([block.values('mean'), block.values('variance')]).toEqual(before);
      }),
    );
  });

  it('is learned as the formula says, over weights with data alone', () => {
    const block = fitted([
      [0.3, 40],
      [-0.2, 12],
      [0.1, 0],
      [0.25, 9],
      [0, 80],
    ]);
    const [lam, mean, variance] = [block.values('lam'), block.values('mean'), block.values('variance')];
    const expected = [0, 1, 2].map((group) => {
      const start = group === 0 ? 0.2 : 0.05;
      let [squares, freedom] = [0, 0];
      lam.forEach((precision, at) => {
        if (precision <= 0 || groups[at % groups.length] !== group) return;
        squares += (mean[at] ?? NaN) ** 2;
        freedom += Math.max(0, 1 - (variance[at] ?? NaN) / start);
      });
      return Math.max(1e-5, (squares + 8 * start) / (freedom + 8));
    });
    block.learnTau();
    [0, 1, 2].forEach((group) => expect(block.tau(group)).toBeCloseTo(expected[group] ?? NaN, 14));
    expect(block.tau(3)).toBe(0.05);
  });
});

describe('a block', () => {
  it('gives new columns the tau of their group, old ones what they had', () => {
    const growing = [...groups];
    const block = new Block({ intercept: 0.2, field: 0.05 }, growing);
    for (let row = 0; row < 5; row++) block.addRow();
    const of = (value: number) => Float64Array.from({ length: 30 }, (_, at) => (at < 3 ? value : 0));
    block.setFitted(of(0.2), of(10));
    const before = block.values('mean');
    block.setTau(2, 0.01);
    for (let column = 0; column < 100; column++) growing.push(1 + (column % 3));
    block.addRow();
    const after = block.values('mean');
    for (let row = 0; row < 5; row++) {
      expect(after.slice(row * 106, row * 106 + 2)).toEqual(before.slice(row * 6, row * 6 + 2));
    }
    const variance = block.values('variance');
    expect([6, 7, 8].map((column) => variance[5 * 106 + column])).toEqual([0.05, 0.01, 0.05]);
    expect(variance.every((value) => value > 0)).toBe(true);
  });

  it('hands on a share of a row’s data', () => {
    const block = fitted([[0.3, 40], [-0.2, 12]]); // prettier-ignore
    const row = block.addRow();
    block.inherit(row, 0, 0.3);
    const of = (name: 'eta' | 'lam', from: number) => block.values(name).slice(from * 6, from * 6 + 6);
    expect(of('eta', row)).toEqual(of('eta', 0).map((eta) => 0.3 * eta));
    expect(of('lam', row)).toEqual(of('lam', 0).map((lam) => 0.3 * lam));
    block.inherit(row, row, 0);
    expect(of('lam', row)).toEqual(new Float64Array(6));
  });
});
