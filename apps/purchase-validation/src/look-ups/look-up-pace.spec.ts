import { beforeEach, describe, expect, it } from '@jest/globals';
import { LookUpPace } from './look-up-pace.ts';

const play = { appId: 1, store: 'play_store' } as const;
const stripe = { appId: 1, store: 'stripe' } as const;
type Asked = typeof play | typeof stripe;

let now: number;
let pace: LookUpPace;
beforeEach(() => {
  now = 5_000;
  pace = new LookUpPace(10, () => now);
});

const roomOf = (asked: Asked) => pace.room([asked])[0]?.most ?? 0;
const begin = (many: number, asked: Asked = play) => {
  for (let i = 0; i < many; i++) pace.begin(asked);
};

describe('the pace of look-ups', () => {
  it('has room for so many in any second, of each app at each store', () => {
    begin(10);
    expect(pace.room([play, stripe, { ...play, appId: 2 }])).toEqual([
      { ...stripe, most: 10 },
      { ...play, appId: 2, most: 10 },
    ]);
    now += 999;
    expect(roomOf(play)).toBe(0);
    now += 1;
    expect(roomOf(play)).toBe(10);
  });

  it('never has room for more in a second that lies across two', () => {
    now += 700;
    begin(6);
    now += 600;
    expect(roomOf(play)).toBe(4);
  });

  it('rests for as long as the store asks for, and begins anew', () => {
    pace.rest(play, 30_000);
    pace.rest(play, 1_000);
    now += 29_999;
    expect(roomOf(play)).toBe(0);
    expect(roomOf(stripe)).toBe(10);
    now += 1;
    expect(roomOf(play)).toBe(10);
  });

  it('goes on at one a second', () => {
    pace = new LookUpPace(1, () => now);
    begin(1);
    expect(roomOf(play)).toBe(0);
    now += 1_000;
    expect(roomOf(play)).toBe(1);
  });
});
