import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { nemeses } from './nemeses.ts';
import { schedule } from './schedule.ts';
import { shortRun } from './short-run.ts';

const longestMs = 3_600_000;
const seeds = fc.string();
const durations = fc.integer({ min: 0, max: longestMs });
const nemesisOf = (name: string) => nemeses.find((nemesis) => nemesis.name === name)!;

describe('schedule', () => {
  it('is the same for the same seed, and another for another', () => {
    fc.assert(
      fc.property(seeds, durations, (seed, durationMs) => {
        expect(schedule(seed, durationMs, nemeses)).toEqual(schedule(seed, durationMs, nemeses));
      }),
    );
    expect(schedule('a', longestMs, nemeses)).not.toEqual(schedule('b', longestMs, nemeses));
  });

  it('lets each strike be mended and get over before the next, and the last before the end', () => {
    fc.assert(
      fc.property(seeds, durations, (seed, durationMs) => {
        let free = 0;
        const early = schedule(seed, durationMs, nemeses).filter(({ nemesis, atMs, lastsMs }) => {
          const isEarly = atMs < free;
          free = atMs + lastsMs + nemesisOf(nemesis).recoversMs;
          return isEarly;
        });
        expect(early).toEqual([]);
        expect(free).toBeLessThanOrEqual(durationMs);
      }),
    );
  });

  it('draws targets and lengths from what a nemesis offers', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const outside = schedule(seed, longestMs, nemeses).filter(({ nemesis, target, lastsMs }) => {
          const { targets, lastsMs: range } = nemesisOf(nemesis);
          return !(targets.length === 0 ? [''] : targets).includes(target) || lastsMs < range[0] || lastsMs > range[1];
        });
        expect(outside).toEqual([]);
      }),
    );
  });

  it('gives every nemesis its turn before one has it twice', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const round = schedule(seed, longestMs, nemeses).slice(0, nemeses.length);
        expect(new Set(round.map(({ nemesis }) => nemesis)).size).toBe(nemeses.length);
      }),
    );
  });

  it('strikes with each of the short run’s in its time', () => {
    const { durationMs, nemeses: names } = shortRun;
    fc.assert(
      fc.property(seeds, (seed) => {
        const strikes = schedule(seed, durationMs, names.map(nemesisOf));
        expect(new Set(strikes.map(({ nemesis }) => nemesis))).toEqual(new Set(names));
      }),
    );
  });

  it('is empty without nemeses', () => {
    expect(schedule('a', longestMs, [])).toEqual([]);
  });
});
