import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { standardNormals } from '../testing/standard-normals.ts';
import type { CrossedCells } from './additive-fit.ts';
import { likeliestVariances } from './prior-variance.ts';
import { evidenceOfTastes } from './taste-evidence.ts';

const rows = 8;
const values = 12;
const size = values + 1;

/** Cells of which variants and values differ, and their crossing by normals of that variance: what was seen and expected. */
function cellsOf(variance: number, seed: number): CrossedCells {
  const normal = standardNormals(seed);
  const [ofRow, ofPlace] = [rows, size].map((count) => Array.from({ length: count }, () => 0.5 * normal()));
  const [fixed, moving, crossed] = [0, 0, 0].map(() => new Float64Array(rows * size)) as [Float64Array, Float64Array, Float64Array]; // prettier-ignore
  for (let row = 0; row < rows; row++) {
    for (let place = 1; place < size; place++) {
      const cell = row * size + place;
      moving[cell] = 12 * Math.exp(ofRow![row]! + ofPlace![place]!);
      const mean = moving[cell] * Math.exp(Math.sqrt(variance) * normal());
      fixed[cell] = Math.max(0, mean + Math.sqrt(mean) * normal());
    }
  }
  return { rows, size, fixed, moving, crossed };
}

const found = (variance: number) => {
  const evidence = Array.from({ length: 20 }, (_, seed) => evidenceOfTastes(cellsOf(variance, seed)));
  const logs = likeliestVariances(evidence, 0.015).map(Math.log);
  return Math.exp(logs.reduce((sum, one) => sum + one, 0) / logs.length);
};

describe('the evidence of tastes', () => {
  it('finds how much they differ, and that they do not', () => {
    expect(found(0.06) / 0.06).toBeGreaterThan(0.6);
    expect(found(0.06) / 0.06).toBeLessThan(1.6);
    expect(found(0)).toBeLessThan(0.002);
  });

  it('is the same whether variants, values or their crossing have taken up what variants and values are by themselves', () => {
    const numbers = (length: number) => fc.array(fc.double({ min: -2, max: 2, noNaN: true }), { minLength: length, maxLength: length }); // prettier-ignore
    fc.assert(
      fc.property(fc.nat(), numbers(rows), numbers(size), (seed, byRow, byPlace) => {
        const cells = cellsOf(0.02, seed);
        const crossed = cells.crossed.map((one, cell) => one + byRow[Math.floor(cell / size)]! + byPlace[cell % size]!);
        const [plain, traded] = [evidenceOfTastes(cells), evidenceOfTastes({ ...cells, crossed })];
        plain.scores.forEach((score, index) => expect(Math.abs(traded.scores[index]! - score)).toBeLessThan(0.01));
      }),
      { numRuns: 30 },
    );
  });

  it('is the same whether the model knows of the tastes already or not', () => {
    const { moving, ...cells } = cellsOf(0.06, 3);
    const normal = standardNormals(4);
    const crossed = cells.crossed.map(() => 0.3 * normal());
    const expected = moving.map((one, cell) => one * Math.exp(crossed[cell]!));
    const [unknown, known] = [
      evidenceOfTastes({ ...cells, moving }),
      evidenceOfTastes({ ...cells, moving: expected, crossed }),
    ];
    unknown.scores.forEach((score, index) => expect(known.scores[index]).toBeCloseTo(score, 9));
    unknown.expected.forEach((one, index) => expect(known.expected[index]).toBeCloseTo(one, 9));
  });

  it('leaves out cells that nobody has seen', () => {
    const { fixed, moving, crossed } = cellsOf(0, 1);
    for (let cell = 0; cell < rows * size; cell++) {
      if (Math.floor(cell / size) !== 3 && cell % size !== 5) continue;
      fixed[cell] = 0;
      moving[cell] = 0;
    }
    const { scores, free } = evidenceOfTastes({ rows, size, fixed, moving, crossed });
    expect(scores).toHaveLength((rows - 1) * (values - 1));
    expect([...scores, ...free].every(Number.isFinite)).toBe(true);
  });
});
