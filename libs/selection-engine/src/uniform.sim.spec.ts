import { describe, expect, it } from '@jest/globals';
import { drawIndex } from './draw-index.ts';
import { chiSquareDeviate } from './testing/chi-square.ts';
import { uniform } from './uniform.ts';

/** Ids as commands have them: alike but for a few digits. */
const commandId = (index: number) => `01890a5d-ac96-774b-8000-${index.toString(16).padStart(12, '0')}`;

const countsOf = (draws: number, cells: number, cellOf: (index: number) => number) => {
  const counts = new Array<number>(cells).fill(0);
  for (let index = 0; index < draws; index++) {
    const cell = cellOf(index);
    counts[cell] = (counts[cell] ?? 0) + 1;
  }
  return counts;
};
/** A million draws for one purpose: two tests count them. */
const million = Float64Array.from({ length: 1_000_000 }, (_, index) => uniform(commandId(index), 'target/0'));
/** Which twentieth each of 200,001 commands draws. */
const cellsOf = (purpose: string) =>
  Uint8Array.from({ length: 200_001 }, (_, index) => Math.floor(uniform(commandId(index), purpose) * 20));
const even = (cells: number) => new Array<number>(cells).fill(1);

describe('uniform', () => {
  it('is even over 10^6 draws', () => {
    const counts = countsOf(million.length, 1_000, (index) => Math.floor(million[index]! * 1_000));
    expect(Math.abs(chiSquareDeviate(counts, even(1_000)))).toBeLessThan(4);
  });

  it('is even in its lowest bits too', () => {
    const counts = countsOf(100_000, 256, (index) => (uniform(commandId(index), 'arm/0') * 2 ** 53) % 256);
    expect(Math.abs(chiSquareDeviate(counts, even(256)))).toBeLessThan(4);
  });

  it('draws independently for different purposes', () => {
    const [target0, target1, arm0, arm1] = ['target/0', 'target/1', 'arm/0', 'arm/1'].map(cellsOf);
    for (const [one, other] of [
      [target0!, arm0!],
      [target0!, target1!],
      [arm0!, arm1!],
    ] as const) {
      const counts = countsOf(200_000, 400, (index) => one[index]! * 20 + other[index]!);
      expect(Math.abs(chiSquareDeviate(counts, even(400)))).toBeLessThan(4);
    }
  });

  it('draws independently for ids that follow each other', () => {
    const cells = cellsOf('arm/0');
    const counts = countsOf(200_000, 400, (index) => cells[index]! * 20 + cells[index + 1]!);
    expect(Math.abs(chiSquareDeviate(counts, even(400)))).toBeLessThan(4);
  });
});

describe('drawIndex', () => {
  it('respects the weights over 10^6 draws', () => {
    const weights = [0.5, 3, 0.01, 20, 7.25];
    const counts = countsOf(million.length, 5, (index) => drawIndex(weights, million[index]!));
    expect(Math.abs(chiSquareDeviate(counts, weights))).toBeLessThan(4);
  });
});
