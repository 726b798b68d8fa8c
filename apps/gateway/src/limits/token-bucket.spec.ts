import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { TokenBucket, type Limit } from './token-bucket.ts';

const limits = fc.record({ perSecond: fc.integer({ min: 1, max: 20_000 }), burst: fc.integer({ min: 1, max: 200 }) });
const pauses = fc.array(fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 2_000 })), {
  minLength: 1,
  maxLength: 300,
});
const start = 1_767_323_045_678;

/** The moments at which one of the requests, each after its pause, was admitted. */
function admitted(limit: Limit, pausesMs: readonly number[]): number[] {
  const bucket = new TokenBucket(limit, start);
  let now = start;
  return pausesMs.flatMap((pause) => (bucket.take((now += pause)) === 0 ? [now] : []));
}

/** Empties it. @returns how many it held */
function drain(bucket: TokenBucket, now: number): number {
  let taken = 0;
  while (bucket.take(now) === 0) taken += 1;
  return taken;
}

describe('TokenBucket', () => {
  it('admits at most its burst and what flows in, in any window', () =>
    fc.assert(
      fc.property(limits, pauses, (limit, pausesMs) => {
        const at = admitted(limit, pausesMs);
        const tooMany = at.flatMap((first, index) =>
          at.slice(index).filter((last, more) => more + 1 > limit.burst + (limit.perSecond * (last - first)) / 1_000),
        );
        expect(tooMany).toEqual([]);
      }),
    ));

  it('admits whoever keeps to the rate, for ever', () =>
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000 }), fc.integer({ min: 1, max: 2_000 }), (pause, count) => {
        const limit = { perSecond: Math.ceil(1_000 / pause), burst: 1 };
        expect(
          admitted(
            limit,
            Array.from({ length: count }, () => pause),
          ),
        ).toHaveLength(count);
      }),
    ));

  it('is full again after exactly the time that its burst takes, and not a millisecond before', () =>
    fc.assert(
      fc.property(limits, (limit) => {
        const bucket = new TokenBucket(limit, start);
        expect(drain(bucket, start)).toBe(limit.burst);
        const fullAfter = Math.ceil((limit.burst * 1_000) / limit.perSecond);
        const before = new TokenBucket(limit, start);
        drain(before, start);
        expect(drain(before, start + fullAfter - 1)).toBeLessThan(limit.burst);
        expect(drain(bucket, start + fullAfter)).toBe(limit.burst);
      }),
    ));

  it('gains or loses nothing by being asked often: 7 a second give 700,000 in 100,000 s', () => {
    const bucket = new TokenBucket({ perSecond: 7, burst: 7 }, start);
    drain(bucket, start);
    let taken = 0;
    for (let second = 1; second <= 100_000; second += 1) {
      bucket.waitMs(start + second * 1_000 - 333);
      taken += drain(bucket, start + second * 1_000);
    }
    expect(taken).toBe(700_000);
  });

  it('says the wait after which there is one, and a millisecond less is too short', () =>
    fc.assert(
      fc.property(limits, fc.integer({ min: 0, max: 1_500 }), (limit, later) => {
        const bucket = new TokenBucket(limit, start);
        drain(bucket, start);
        drain(bucket, start + later);
        const waitMs = bucket.waitMs(start + later);
        expect(waitMs).toBeGreaterThan(0);
        expect(bucket.waitMs(start + later + waitMs - 1)).toBe(1);
        expect(bucket.take(start + later + waitMs)).toBe(0);
      }),
    ));

  it('gives nothing for a clock that goes back, and fills on from there', () =>
    fc.assert(
      fc.property(limits, fc.integer({ min: 1, max: 10_000_000 }), (limit, back) => {
        const bucket = new TokenBucket(limit, start);
        drain(bucket, start);
        expect(drain(bucket, start - back)).toBe(0);
        const fullAfter = Math.ceil((limit.burst * 1_000) / limit.perSecond);
        expect(drain(bucket, start - back + fullAfter)).toBe(limit.burst);
      }),
    ));
});
