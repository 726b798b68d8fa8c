import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { states } from '../model/expectation.ts';
import { looks, sharesOf, stateChart, stateSvg, type DayOfStates } from './state-chart.ts';

const counts = fc.array(fc.nat({ max: 1_000 }), { minLength: 1, maxLength: 8 });
const year: readonly DayOfStates[] = Array.from({ length: 365 }, (_, day) => ({
  day,
  counts: { subscribed: day, 'never-subscribed': 364 - day },
}));

describe('sharesOf', () => {
  it('fills the height, and is never more than one sign off', () => {
    fc.assert(
      fc.property(counts, fc.integer({ min: 1, max: 40 }), (all, height) => {
        const total = all.reduce((sum, count) => sum + count, 0);
        const shares = sharesOf(all, height);
        expect(shares.reduce((sum, share) => sum + share, 0)).toBe(total === 0 ? 0 : height);
        for (const [index, share] of shares.entries())
          expect(Math.abs(share - (total === 0 ? 0 : (all[index]! * height) / total))).toBeLessThan(1);
      }),
    );
  });
});

describe('stateChart', () => {
  it('goes from the first day to the last', () => {
    const lines = stateChart(year, 50, 10).split('\n').slice(0, 10);
    expect(lines.every((line) => line.length === 3 + 50)).toBe(true);
    const column = (at: number): string => lines.map((line) => line[3 + at]).join('');
    expect(column(0)).toBe(looks['never-subscribed'].sign.repeat(10));
    expect(column(49)).toBe(looks.subscribed.sign.repeat(10));
  });

  it('explains each sign, and no two are alike', () => {
    const legend = stateChart(year).split('\n').at(-1);
    for (const state of states) expect(legend).toContain(`${looks[state].sign} ${state}`);
    expect(new Set(states.map((state) => looks[state].sign)).size).toBe(states.length);
  });
});

it('draws an area a state, against shares and days', () => {
  const svg = stateSvg(year);
  for (const label of ['0 %', '50 %', '100 %', 'day 0', 'day 182', 'day 364']) expect(svg).toContain(`>${label}<`);
  expect(svg.match(/<polygon/g)).toHaveLength(states.length);
  expect(svg).not.toMatch(/NaN|undefined/);
});
