import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { timeOfDayMs } from '../config.ts';
import { nightBefore } from './night.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const times = fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2027, 0, 1) });
const timesOfDay = fc.integer({ min: 0, max: dayMs - 1 });

describe('nightBefore', () => {
  it('is the last time that was due by now, once a day, within the hour behind the time of day', () => {
    fc.assert(
      fc.property(times, timesOfDay, fc.string(), (now, dueAtMs, key) => {
        const night = nightBefore(now, dueAtMs, key);
        expect(night).toBeLessThanOrEqual(now);
        expect(now - night).toBeLessThan(dayMs);
        const behind = (night - dueAtMs + 2 * dayMs) % dayMs;
        expect(behind).toBeLessThanOrEqual(hourMs);
        expect(nightBefore(night, dueAtMs, key)).toBe(night);
        expect(nightBefore(night + dayMs, dueAtMs, key)).toBe(night + dayMs);
      }),
    );
  });

  it('spreads models over the hour', () => {
    const nights = Array.from({ length: 300 }, (_, app) => nightBefore(dayMs * 20, 0, `${app}/main`));
    const firstHalf = nights.filter((night) => night % dayMs < hourMs / 2).length;
    expect(firstHalf).toBeGreaterThan(110);
    expect(firstHalf).toBeLessThan(190);
  });
});

it('reads the time of day', () => {
  expect(['00:00', '02:30', '23:59', 'never'].map(timeOfDayMs)).toEqual([0, 2.5 * hourMs, dayMs - 60_000, null]);
});
