import { describe, expect, it } from '@jest/globals';
import { ArmTable } from './arm-table.ts';

const table = new ArmTable();
for (const [at, plan] of [[10, 'week'], [20, 'year'], [20, 'year'], [30, 'week']] as const) table.name('a', [`plan:${plan}`], at); // prettier-ignore
const planAt = (arms: ArmTable, at: number) => arms.planOf(arms.armAt('a', at));

describe('the arm of a paywall', () => {
  it('is the one of the products that it had at that time', () => {
    expect([0, 19, 20, 29, 30, 99].map((at) => planAt(table, at))).toEqual(['week', 'week', 'year', 'year', 'week', 'week']); // prettier-ignore
    expect(table.armOf('a')).toEqual(table.armAt('a', 30));
    expect(table.size).toEqual({ arms: 3, tokens: 2 });
  });

  it('is followed by those that took its place', () => {
    expect([0, 1, 2].map((row) => table.heirsOf(row))).toEqual([[1, 2], [2], []]);
    expect(table.shownAs(2, 15).row).toBe(0);
  });
});
