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
  it('stays what it was: recorded decisions are made again by it', () => {
    expect([
      uniform('', ''),
      uniform('a', 'b'),
      uniform(commandId(1), 'target/0'),
      uniform('é\u{1f600}', 'arm/1'),
    ]).toEqual([0.6413652422740282, 0.18457654374925736, 0.4155153729617028, 0.5947357775191155]);
  });

  it('is below 1, from 0, with 53 bits', () => {
    const numbers = Array.from({ length: 1_000 }, (_, index) => uniform(commandId(index), 'target/0'));
    expect(numbers.every((number) => number >= 0 && number < 1)).toBe(true);
    expect(numbers.every((number) => Number.isSafeInteger(number * 2 ** 53))).toBe(true);
    expect(numbers.some((number) => (number * 2 ** 53) % 2 === 1)).toBe(true);
    expect(new Set(numbers).size).toBe(1_000);
  });

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

  it('never draws a weight of 0, at either end', () => {
    expect([0, 0.5, 1 - 2 ** -53].map((u) => drawIndex([0, 2, 0], u))).toEqual([1, 1, 1]);
  });

  it('splits [0, 1) exactly', () => {
    expect([0, 0.2499, 0.25, 0.7499, 0.75].map((u) => drawIndex([1, 2, 1], u))).toEqual([0, 0, 1, 1, 2]);
  });

  it('falls to the last weight where rounding leaves none', () => {
    const tenths = new Array<number>(10).fill(0.1);
    expect(drawIndex(tenths, 1 - 2 ** -53)).toBe(9);
    expect(drawIndex([...tenths, 0], 1)).toBe(9);
  });

  it.each([[[]], [[0, 0]], [[1, -1]], [[NaN]], [[Infinity]], [[1e308, 1e308]]])('refuses %j', (weights) => {
    expect(() => drawIndex(weights, 0.5)).toThrow(RangeError);
  });
});
