import { expect, it } from '@jest/globals';
import { describeRepublish } from './republish-progress.ts';

const begun = { at: 5_000, done: 0, total: 1_000_000 };

it('tells share, rate and time left', () =>
  expect(describeRepublish('selection', begun, { at: 15_000, done: 200_000, total: 1_000_000 })).toBe(
    'selection: 20 % · 200,000 of 1,000,000 events · 20,000/s · 40 s left',
  ));

it.each([
  [1_000, '17 min left'],
  [100, '2 h 47 min left'],
])('tells minutes and hours at %s/s', (perSecond, left) =>
  expect(describeRepublish('selection', begun, { ...begun, at: 6_000, done: perSecond })).toMatch(RegExp(`${left}$`)),
);

it('promises no time where nothing moves, and is never done before it is', () => {
  const still = { at: 15_000, done: 999_999, total: 1_000_000 };
  expect(describeRepublish('profile', { ...still, at: 5_000 }, still)).toBe(
    'profile: 99 % · 999,999 of 1,000,000 events',
  );
  expect(describeRepublish('profile', { ...begun, total: 0 }, { at: 9_000, done: 0, total: 0 })).toBe(
    'profile: 100 % · 0 of 0 events',
  );
});

it('says that events are sorted before the first is published', () =>
  expect(describeRepublish('selection', begun, { ...begun, at: 35_000 })).toBe(
    'selection: 1,000,000 events are being put in order',
  ));
