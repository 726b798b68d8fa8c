import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { exploit, explore, floorOf } from './explore.ts';

const probabilities = fc
  .array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 200 })
  .filter((raw) => raw.some((one) => one > 1e-6))
  .map((raw) => {
    const total = raw.reduce((sum, one) => sum + one, 0);
    return Float64Array.from(raw, (one) => one / total);
  });

describe('explore', () => {
  it('keeps the floor and the sum', () => {
    fc.assert(
      fc.property(probabilities, fc.nat({ max: 5_000_000 }), (shares, exposures) => {
        explore(shares, exposures);
        const floor = floorOf(shares.length, exposures);
        expect(shares.every((share) => share >= floor * (1 - 1e-12))).toBe(true);
        expect(Math.abs(shares.reduce((sum, share) => sum + share, 0) - 1)).toBeLessThan(1e-12);
      }),
    );
  });

  it('has a floor of 1 %, of a tenth in all beyond ten', () => {
    for (const exposures of [0, 1_000, 2_000]) {
      const floors = [1, 8, 10, 20, 200].map((candidates) => floorOf(candidates, exposures * candidates));
      expect(floors).toEqual([0.01, 0.01, 0.01, 0.005, 0.0005]);
    }
  });

  it('lets the floor fall with the root of the exposures, to a fifth', () => {
    const floors = [16_000, 64_000, 100_000, 400_000, 1e9].map((exposures) => floorOf(8, exposures));
    expect(floors).toEqual([0.01, 0.005, 0.004, 0.002, 0.002]);
  });

  it('keeps the floor of decisions that were made by the former rule', () => {
    expect([floorOf(8, 1e9, 'learned-1'), floorOf(20, 1e9, 'learned-1')]).toEqual([0.01, 0.005]);
  });

  it('is even before the first exposure, and free after 100 a candidate', () => {
    const at = (exposures: number) => {
      const shares = Float64Array.of(1, 0);
      explore(shares, exposures);
      return [...shares];
    };
    expect(at(0)).toEqual([0.5, 0.5]);
    expect(at(100)[1]).toBeCloseTo(0.5 * 0.01 + 0.5 * 0.5, 12);
    expect(at(200)[1]).toBe(0.01);
  });

  it('switched off, takes the greatest mean, of equal ones the first', () => {
    const shares = new Float64Array(4).fill(0.25);
    exploit([1, 3, 3, 2], shares);
    expect([...shares]).toEqual([0, 1, 0, 0]);
  });
});
