import { describe, expect, it } from '@jest/globals';
import { describeProgress, recentSamples } from './rebuild-progress.ts';

describe('describeProgress', () => {
  it('tells share, rate and time left', () => {
    const samples = [
      { at: 0, done: 0, total: 1_000_000 },
      { at: 10_000, done: 200_000, total: 1_000_000 },
    ];
    expect(describeProgress(samples)).toBe('20 % · 200,000 of 1,000,000 records · 20,000/s · 40 s left');
  });

  it('counts from where a former run was ended', () => {
    const samples = [
      { at: 5_000, done: 900, total: 10_900 },
      { at: 6_000, done: 1_000, total: 10_900 },
    ];
    expect(describeProgress(samples)).toBe('9 % · 1,000 of 10,900 records · 100/s · 2 min left');
    expect(describeProgress([samples[0]!])).toBe('8 % · 900 of 10,900 records');
  });

  it('promises no time where nothing moves', () => {
    const still = { done: 5_000, total: 10_000 };
    expect(
      describeProgress([
        { at: 0, ...still },
        { at: 9, ...still },
      ]),
    ).toBe('50 % · 5,000 of 10,000 records');
  });

  it('says that it is level where a switch takes the rest in, as the build ends there', () => {
    const rest = 'level: the switch folds in the rest';
    expect(describeProgress([{ at: 0, done: 49_000, total: 50_000 }])).toBe(`49,000 of 50,000 records · ${rest}`);
    expect(describeProgress([{ at: 0, done: 48_999, total: 50_000 }])).toBe('97 % · 48,999 of 50,000 records');
    expect(describeProgress([{ at: 0, done: 3, total: 500 }])).toBe(`3 of 500 records · ${rest}`);
    expect(describeProgress([{ at: 0, done: 0, total: 0 }])).toBe('100 % · 0 of 0 records · level');
  });

  it('says so within half a second of what arrives, where more than 1,000 records would be in hand at any moment', () => {
    const behind = (records: number) => [
      { at: 0, done: 0, total: 1_000_000 },
      { at: 30_000, done: 1_300_000 - records, total: 1_300_000 },
    ];
    expect(describeProgress(behind(5_000))).toMatch(/level: the switch folds in the rest$/);
    expect(describeProgress(behind(5_001))).toMatch(/ s left$/);
  });

  it('counts on what arrives meanwhile', () => {
    const samples = (arrivals: number) => [
      { at: 0, done: 0, total: 1_000_000 },
      { at: 10_000, done: 200_000, total: 1_000_000 + 10 * arrivals },
    ];
    expect(describeProgress(samples(10_000))).toBe('18 % · 200,000 of 1,100,000 records · 20,000/s · 2 min left');
    expect(describeProgress(samples(20_000))).toBe(
      '16 % · 200,000 of 1,200,000 records · 20,000/s · no end while 20,000/s arrive',
    );
  });

  it('tells hours', () => {
    const samples = [
      { at: 0, done: 0, total: 9_001 },
      { at: 1_000, done: 1, total: 9_001 },
    ];
    expect(describeProgress(samples)).toMatch(/ 1\/s · 2 h 30 min left$/);
  });
});

it('takes the rate of the last half minute', () => {
  const samples = Array.from({ length: 10 }, (_, index) => ({ at: index * 10_000, done: index, total: 10 }));
  expect(recentSamples(samples, 90_000).map(({ at }) => at)).toEqual([60_000, 70_000, 80_000, 90_000]);
  expect(recentSamples(samples.slice(0, 2), 10_000)).toHaveLength(2);
});
