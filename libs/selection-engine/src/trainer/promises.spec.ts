import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { calibrate, calibrated } from '../value/calibrate.ts';
import { Promises } from './promises.ts';

const weekMs = 7 * 24 * 3_600_000;

describe('promises', () => {
  it('are of the last twelve weeks, whatever order they are counted in', () => {
    const exposure = fc.record({ at: fc.integer({ min: 0, max: 30 * weekMs }), logValue: fc.double({ min: -9, max: 3, noNaN: true }), quarters: fc.integer({ min: 1, max: 4 }) }); // prettier-ignore
    fc.assert(
      fc.property(fc.array(exposure, { maxLength: 80 }), (exposures) => {
        const [forth, back] = [new Promises(), new Promises()];
        for (const { at, logValue, quarters } of exposures) forth.count(at, logValue, quarters / 4);
        for (const { at, logValue, quarters } of exposures.toReversed()) back.count(at, logValue, quarters / 4);
        expect(back.state()).toEqual(forth.state());
        expect(new Promises(forth.state()).state()).toEqual(forth.state());
        expect(new Set(forth.state().map(([week]) => week)).size).toBeLessThanOrEqual(12);
      }),
    );
  });

  it('forget what a young model said: a week counts half of the next', () => {
    const promises = new Promises();
    const kept = [];
    // For five weeks half of what came was promised, and too flatly; for five more as much as came.
    for (let week = 0; week < 10; week++) {
      for (let index = 0; index < 400; index++) {
        const truth = -3 + (index % 20) / 5;
        const logValue = week < 5 ? truth / 2 - 2 : truth;
        promises.count(week * weekMs, logValue, 1);
        kept.push({ at: week * weekMs, logValue, usd: Math.exp(truth) });
      }
    }
    const calibration = calibrate(promises.values(kept));
    for (const value of [0.06, 0.3, 1.5])
      expect(Math.abs(calibrated(calibration, value) / value - 1)).toBeLessThan(0.25);
  });

  it('of nobody are none, and money of weeks that are forgotten does not count', () => {
    expect(new Promises().values([])).toEqual([]);
    const promises = new Promises();
    for (let week = 0; week < 13; week++) promises.count(week * weekMs, 0, 1);
    expect(promises.values([{ at: 0, logValue: 0, usd: 5 }])[0]?.totalUsd).toBe(0);
  });
});
