import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { uniform } from '../uniform.ts';
import { ExposureHistory, placesOf, type Observation } from './exposure-history.ts';

const placeOf = [1, 1, 2, 3, 1, 2];
const at = (...active: readonly number[]) => placesOf(Int32Array.from(active), placeOf);
const observation = fc.record({
  places: fc.tuple(fc.constant(0), fc.integer({ min: 1, max: 3 }), fc.integer({ min: 4, max: 5 })).map((active) => at(...active)), // prettier-ignore
  arm: fc.nat({ max: 2 }),
  size: fc.constantFrom(0.5, 1),
  starts: fc.integer({ min: 0, max: 11 }).map((one) => (one === 0 ? 1 : 0)),
});
const historyOf = (observations: readonly Observation[], most?: number) => {
  const history = new ExposureHistory(most);
  for (const one of observations) history.add(one);
  return history;
};
const sumOf = ({ count, arms }: ExposureHistory, numbers: ArrayLike<number>, arm: number) => {
  let sum = 0;
  for (let at = 0; at < count; at++) if (arms[at] === arm) sum += numbers[at]!;
  return sum;
};

describe('a history', () => {
  it('holds no more than it may, and for each variant the exposures and starts that there were', () => {
    fc.assert(
      fc.property(fc.array(observation, { minLength: 200, maxLength: 400, size: 'max' }), (observations) => {
        const history = historyOf(observations, 150);
        expect(history.count).toBeLessThanOrEqual(150);
        const starts = observations.filter((one) => one.starts > 0).length;
        fc.pre(starts <= 56); // half of what is left: else the oldest may have left
        for (const arm of [0, 1, 2]) {
          const ofArm = observations.filter((one) => one.arm === arm);
          expect(sumOf(history, history.sizes, arm)).toBeCloseTo(
            ofArm.reduce((sum, { size }) => sum + size, 0),
            3,
          );
          expect(sumOf(history, history.starts, arm)).toBe(ofArm.reduce((sum, one) => sum + one.starts, 0));
        }
      }),
      { numRuns: 30 },
    );
  });

  it('lets none stand for many more than others of its variant do, however many come', () => {
    const history = new ExposureHistory(2_000);
    const added = 200_000;
    for (let index = 0; index < added; index++) {
      const places = at(0, 1 + ((index * 7_919) % 3));
      history.add({ places, arm: index % 2, size: 1, starts: index % 401 === 0 ? 1 : 0 });
    }
    for (const arm of [0, 1]) {
      const sizes = [...history.sizes.subarray(0, history.count)].filter(
        (_, at) => history.arms[at] === arm && history.starts[at] === 0,
      );
      const median = sizes.toSorted((one, other) => one - other)[sizes.length >> 1]!;
      expect(Math.max(...sizes)).toBeLessThanOrEqual(4 * median);
      expect(sizes.length).toBeGreaterThan(400);
      expect(sumOf(history, history.sizes, arm)).toBeCloseTo(added / 2, 3);
    }
  });

  it('does not measure all by a few that stand for many', () => {
    const history = new ExposureHistory(2_000);
    const ones = Array.from({ length: 1_500 }, () => 1);
    const sizes = Float32Array.from([500, 500, 500, ...ones]);
    const none = new Float32Array(sizes.length);
    history.restore({ count: sizes.length, arms: new Uint16Array(none), sizes, starts: none, places: [] });
    for (let index = 0; index < 498; index++) history.add({ places: at(0), arm: 0, size: 1, starts: 0 });
    expect(history.count).toBeLessThan(2_000);
    expect(history.count).toBeGreaterThan(900);
    expect(sumOf(history, history.sizes, 0)).toBe(1_500 + 1_500 + 498);
  });

  it('keeps exposures beside starts where starts take half of the room', () => {
    const history = new ExposureHistory(2_000);
    for (let index = 0; index < 100_000; index++)
      history.add({ places: at(0), arm: 0, size: 1, starts: index % 4 === 0 ? 1 : 0 });
    const sizes = history.sizes.subarray(0, history.count);
    const starts = sumOf(history, history.starts, 0);
    expect(starts / sizes.reduce((sum, size) => sum + size, 0)).toBeCloseTo(0.25, 1);
    expect(history.count - starts).toBeGreaterThan(300);
  });

  it('lets the oldest leave where starts alone would fill it', () => {
    const history = historyOf(
      Array.from({ length: 500 }, (_, arm) => ({ places: at(0), arm, size: 1, starts: 1 })),
      100,
    );
    expect(history.count).toBeLessThanOrEqual(100);
    expect([...history.arms.subarray(0, history.count)]).toEqual(
      Array.from({ length: history.count }, (_, at) => 500 - history.count + at),
    );
  });

  it.each([
    ['joins', 25],
    ['lets leave', 4],
  ])('%s none of a variant that has few, while others have many', (_, everyStart) => {
    const history = new ExposureHistory(2_000);
    for (let index = 0; index < 100_000; index++) {
      const arm = index % 401 === 0 ? 1 : 0;
      history.add({ places: at(0), arm, size: 1, starts: index % everyStart === 0 ? 1 : 0 });
    }
    const ofRare = [...history.arms.subarray(0, history.count)].filter((arm) => arm === 1).length;
    expect(ofRare).toBe(250);
    expect(sumOf(history, history.sizes, 1)).toBe(250);
    expect(sumOf(history, history.starts, 0) / sumOf(history, history.sizes, 0)).toBeCloseTo(1 / everyStart, 1);
  });

  it.each([0.003, 0.02])('keeps of many variants about as many each, and rates, where %d start', (rate) => {
    const history = new ExposureHistory(2_000);
    for (let index = 0; index < 200_000; index++) {
      // Every second one is the first variant's, every fourth the second's, and so on.
      const arm = Math.min(11, Math.clz32((index + 1) & -(index + 1)) ^ 31);
      const starts = uniform(`${index}`, 'start') < rate ? 1 : 0;
      history.add({ places: at(0), arm, size: 1, starts });
    }
    const sizes = history.sizes.subarray(0, history.count);
    const arms = [...history.arms.subarray(0, history.count)];
    const withoutStart = Array.from({ length: 12 }, (_, arm) => arms.filter((one, at) => one === arm && history.starts[at] === 0).length); // prettier-ignore
    expect(Math.min(...withoutStart)).toBeGreaterThan(20);
    expect(Math.max(...withoutStart)).toBeLessThan(400);
    for (const arm of [0, 1, 2, 3]) {
      const known = sumOf(history, history.starts, arm) / sumOf(history, history.sizes, arm);
      expect(Math.abs(Math.log(known / rate))).toBeLessThan(0.4);
    }
    // As long as starts leave room, nothing leaves.
    if (rate < 0.01) expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(200_000);
  });

  it('knows places, and none of fields that came later or of values that count for nothing', () => {
    const [early, late] = [at(0, 2), at(0, -1, 5)];
    const { places } = historyOf([early, late].map((places) => ({ places, arm: 0, size: 1, starts: 0 })));
    expect(places.map((column) => [...column.subarray(0, 2)])).toEqual([[1, 1], [2, 0], [0, 2]]); // prettier-ignore
  });

  it('discounts a variant alone, and may hand it to another', () => {
    const history = historyOf([0, 1].map((arm) => ({ places: at(0), arm, size: 1, starts: 1 })));
    history.discount(0, 2, 0.5);
    expect([...history.arms.subarray(0, 2)]).toEqual([2, 1]);
    expect([...history.sizes.subarray(0, 2)]).toEqual([0.5, 1]);
    expect([...history.starts.subarray(0, 2)]).toEqual([0.5, 1]);
  });
});
