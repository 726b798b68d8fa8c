import { describe, expect, it } from '@jest/globals';
import { DrawCounts } from './draw-counts.ts';

const dayMs = 86_400_000;
const begin = Date.UTC(2026, 0, 1);
const drawn = (id: string, at: number) => {
  return { type: 'decision', id, at, paywall: 'p', probabilities: [['p', 1]] } as const;
};

describe('the decisions that are remembered', () => {
  it('are those of two days, also behind one whose clock is ahead', () => {
    const counts = new DrawCounts();
    counts.decided(drawn('ahead', begin + 3_650 * dayMs), begin);
    for (let day = 0; day < 10; day++) {
      const at = begin + day * dayMs;
      for (const id of [`${day}`, `${day}`]) counts.decided(drawn(id, at), at);
      counts.forget(at);
    }
    const { counts: all, recent } = counts.state();
    expect(all).toMatchObject([{ drawn: 11 }]);
    expect(recent.map(([id]) => id)).toEqual(['7', '8', '9']);
  });

  it('are forgotten alike by one that goes on from there', () => {
    const counts = new DrawCounts();
    counts.decided(drawn('ahead', begin + 3_650 * dayMs), begin);
    const restored = new DrawCounts(counts.state());
    for (const one of [counts, restored]) {
      one.forget(begin + dayMs);
      one.decided(drawn('next', begin + dayMs), begin + dayMs);
      one.forget(begin + 4 * dayMs);
    }
    expect(restored.state()).toEqual(counts.state());
    expect(restored.state().recent).toEqual([]);
  });
});
