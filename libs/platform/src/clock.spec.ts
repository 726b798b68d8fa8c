import { mock } from 'node:test';
import { afterEach, expect, it } from '@jest/globals';
import { SystemClock } from './clock.ts';

afterEach(() => mock.restoreAll());

it.each([3_600_000, -3_600_000])('measures how long something takes also while the clock is set by %i ms', (step) => {
  const clock = new SystemClock();
  const [setAt, begunAt] = [clock.now() + step, clock.steadyNow()];
  mock.method(Date, 'now', () => setAt);
  expect(clock.now()).toBe(setAt);
  const tookMs = clock.steadyNow() - begunAt;
  expect(Number.isInteger(tookMs)).toBe(true);
  expect(Math.abs(tookMs)).toBeLessThan(60_000);
});
