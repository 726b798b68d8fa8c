import { describe, expect, it } from '@jest/globals';
import { drawIndex } from './draw-index.ts';
import { uniform } from './uniform.ts';

/** Ids as commands have them: alike but for a few digits. */
const commandId = (index: number) => `01890a5d-ac96-774b-8000-${index.toString(16).padStart(12, '0')}`;

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
});

describe('drawIndex', () => {
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
