import { beforeEach, describe, expect, it } from '@jest/globals';
import { LookUpPace } from './look-up-pace.ts';

const play = { appId: 1, store: 'play_store' } as const;
const stripe = { appId: 1, store: 'stripe' } as const;

let now: number;
let pace: LookUpPace;
beforeEach(() => {
  now = 5_000;
  pace = new LookUpPace(10, () => now);
});

/** How many of so many begin. */
const begun = (many: number, of: typeof play | typeof stripe = play) =>
  Array.from({ length: many }, () => pace.begin(of)).filter(Boolean).length;

describe('the pace of look-ups', () => {
  it('lets so many begin in any second, of each app at each store', () => {
    expect(begun(20)).toBe(10);
    expect(begun(20, stripe)).toBe(10);
    expect(pace.begin({ ...play, appId: 2 })).toBe(true);
    now += 999;
    expect(begun(20)).toBe(0);
    now += 1;
    expect(begun(20)).toBe(10);
  });

  it('never lets more begin in a second that lies across two', () => {
    now += 700;
    expect(begun(6)).toBe(6);
    now += 600;
    expect(begun(20)).toBe(4);
  });

  it('rests for as long as the store asks for, and begins anew', () => {
    pace.rest(play, 30_000);
    pace.rest(play, 1_000);
    now += 29_999;
    expect(begun(1)).toBe(0);
    expect(begun(1, stripe)).toBe(1);
    now += 1;
    expect(begun(20)).toBe(10);
  });

  it('tells of whom too few are left', () => {
    begun(5);
    begun(6, stripe);
    expect(pace.spent()).toMatchObject([stripe]);
    pace.rest(play, 2_000);
    now += 1_000;
    expect(pace.spent()).toMatchObject([play]);
    now += 1_000;
    expect(pace.spent()).toEqual([]);
  });

  it('goes on at one a second', () => {
    pace = new LookUpPace(1, () => now);
    expect(begun(2)).toBe(1);
    expect(pace.spent()).toMatchObject([play]);
    now += 1_000;
    expect(pace.spent()).toEqual([]);
    expect(begun(2)).toBe(1);
  });
});
