import { describe, expect, it } from '@jest/globals';
import { addDuration } from './iso-duration.ts';

const after = (from: string, duration: string) => new Date(addDuration(Date.parse(from), duration)).toISOString();

describe('addDuration', () => {
  it.each([
    ['2026-01-01T00:00:00.000Z', 'P7D', '2026-01-08T00:00:00.000Z'],
    ['2026-01-01T00:00:00.000Z', 'P2W', '2026-01-15T00:00:00.000Z'],
    ['2026-01-01T00:00:00.000Z', 'PT12H30M1.5S', '2026-01-01T12:30:01.500Z'],
    ['2026-01-31T10:00:00.000Z', 'P1M', '2026-02-28T10:00:00.000Z'],
    ['2028-02-29T10:00:00.000Z', 'P1Y', '2029-02-28T10:00:00.000Z'],
    ['2026-11-30T10:00:00.000Z', 'P1Y3M1DT1H', '2028-03-01T11:00:00.000Z'],
    ['2026-01-01T00:00:00.000Z', 'P0D', '2026-01-01T00:00:00.000Z'],
    ['2026-01-01T00:00:00.000Z', 'P999999999999Y', '+275760-09-13T00:00:00.000Z'],
    ['2026-01-01T00:00:00.000Z', `P${'9'.repeat(400)}D`, '+275760-09-13T00:00:00.000Z'],
  ])('%s and %s is %s', (from, duration, to) => expect(after(from, duration)).toBe(to));

  it.each(['', 'P', 'PT', 'P1DT', '7D', 'P-1D', 'P1.5D', 'P1H', 'p1d'])('refuses %j', (duration) => {
    expect(() => addDuration(0, duration)).toThrow(RangeError);
  });
});

it('adds a duration many times over without losing days on the way', () => {
  const ends = [1, 2, 3, 13].map((times) =>
    new Date(addDuration(Date.UTC(2026, 0, 31), 'P1M', times)).toISOString().slice(0, 10),
  );
  expect(ends).toEqual(['2026-02-28', '2026-03-31', '2026-04-30', '2027-02-28']);
  expect(addDuration(0, 'PT1S', 0)).toBe(0);
});
