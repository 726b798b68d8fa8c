import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { EpochStratum } from '../trainer/side-sums.ts';
import { adoptShare, epochOf, lookAtShare, restoreShare, unguarded, type ShareGuard } from './share-guard.ts';

const stratum = (since: number, aiStarts: number, exposures = 10_000): EpochStratum => {
  const side = (starts: number) => ({
    exposures,
    starts,
    usd: 30 * starts,
    usdSquares: 1_800 * starts,
    rateErrorsUsd: {},
  });
  return { since, share: 0.5, ai: side(aiStarts), baseline: side(500) };
};
const bad = (since: number) => stratum(since, 250);
const same = (since: number) => stratum(since, 500);
const good = (since: number, exposures = 10_000) => stratum(since, 900, exposures);
const best = (since: number) => {
  const much = good(since, 90_000);
  return { ...much, ai: { ...much.ai, starts: 9_000, usd: 270_000, usdSquares: 16_200_000 } };
};

describe('the guard of the AI’s share', () => {
  const halved = lookAtShare(unguarded, [bad(0)], 100);

  it('halves it with the first alarm and takes it away with a second', () => {
    expect(halved).toMatchObject({ factor: 0.5, epochs: [0, 100] });
    expect(lookAtShare(halved, [bad(0), bad(100)], 200)).toMatchObject({ factor: 0, epochs: [0, 100, 200] });
  });

  it('does not raise the second alarm on the evidence of the first', () => {
    expect(lookAtShare(halved, [{ ...bad(0), ai: { ...bad(0).ai, exposures: 20_000 } }], 200).factor).toBe(0.5);
    expect(lookAtShare(halved, [bad(0), same(100)], 200)).toMatchObject({ factor: 0.5, epochs: [0, 100] });
  });

  it('gives it back once AI is better, all epochs since it had the whole share weighed by their sizes', () => {
    expect(lookAtShare(halved, [bad(0), good(100)], 200).factor).toBe(0.5);
    const returned = lookAtShare(halved, [bad(0), best(100)], 300);
    expect(returned).toMatchObject({ factor: 1, epochs: [0, 100, 300], triedSince: 300 });
    expect(lookAtShare(returned, [bad(0), best(100), bad(300)], 400).factor).toBe(0.5);
  });

  it('gives it back when a person says so, but not by what was said before the alarm', () => {
    const off = lookAtShare(halved, [bad(0), bad(100)], 200);
    expect(restoreShare(off, 150)).toBe(off);
    const restored = restoreShare(off, 250);
    expect(restored).toMatchObject({ factor: 1, epochs: [0, 100, 200, 250], triedSince: 250 });
    expect(restoreShare(restored, 300)).toBe(restored);
    expect(lookAtShare(restored, [bad(0), bad(100), same(250)], 400).factor).toBe(1);
  });

  it('takes over a share that it did not find, and gives it back as if it had', () => {
    const adopted = adoptShare(unguarded, 0.5, 100);
    expect(adopted).toMatchObject({ factor: 0.5, epochs: [0, 100], triedSince: 0 });
    expect(adoptShare(adopted, 0.5, 150)).toBe(adopted);
    expect(adoptShare(adopted, 0, 50)).toMatchObject({ factor: 0, epochs: [0, 100, 100] });
    expect(lookAtShare(adopted, [good(0), good(100)], 200)).toMatchObject({ factor: 1, epochs: [0, 100, 200] });
  });

  it('takes over a release that it did not find as one of its own: what was before says nothing of a return', () => {
    const adopted = adoptShare(unguarded, 0.5, 100);
    const released = adoptShare(adopted, 1, 200);
    expect(released).toEqual(restoreShare(adopted, 200));
    const before = [good(0), best(100)];
    const again = lookAtShare(released, [...before, bad(200)], 300);
    expect(again).toMatchObject({ factor: 0.5, triedSince: 200 });
    expect(lookAtShare(again, [...before, bad(200), bad(300)], 400)).toMatchObject({ factor: 0 });
    expect(adoptShare(adopted, 1, 50)).toMatchObject({ factor: 1, epochs: [0, 100, 100], triedSince: 100 });
  });

  it('looks again after 250 more exposures', () => {
    const looked = lookAtShare(unguarded, [same(0)], 100);
    expect(looked.exposures).toBe(20_000);
    const worse = { ...bad(0), ai: { ...bad(0).ai, exposures: 10_249 } };
    expect(lookAtShare(looked, [worse], 200)).toBe(looked);
    const enough = { ...worse, ai: { ...worse.ai, exposures: 10_250 } };
    expect(lookAtShare(looked, [enough], 200).factor).toBe(0.5);
  });

  it('looks whenever it is asked while AI has nothing: what is compared grows no more, but what it was worth becomes known', () => {
    const off = lookAtShare(halved, [bad(0), bad(100)], 200);
    expect(lookAtShare(off, [bad(0), bad(100)], 300)).toEqual(off);
    expect(lookAtShare(off, [bad(0), bad(100), bad(200)], 300)).toMatchObject({ factor: 0, epochs: [0, 100, 200] });
    expect(lookAtShare(off, [good(0), good(100)], 400)).toMatchObject({ factor: 1, triedSince: 400 });
  });

  it('finds the epoch of any time, and its factor is never but 1, a half and 0', () => {
    const looks = fc.array(fc.tuple(fc.constantFrom(bad, same, good), fc.boolean()), { maxLength: 12 });
    fc.assert(
      fc.property(looks, (steps) => {
        const strata: EpochStratum[] = [];
        let state: ShareGuard = unguarded;
        steps.forEach(([make, isRestored], index) => {
          const since = state.epochs.at(-1) ?? NaN;
          if (state.factor > 0) strata.push(make(since));
          const next = lookAtShare(state, strata, 100 * (index + 1));
          if (next.factor < state.factor) expect(state.factor - next.factor).toBe(0.5);
          state = isRestored ? restoreShare(next, 100 * (index + 1) + 50) : next;
          expect([0, 0.5, 1]).toContain(state.factor);
        });
        expect([...state.epochs].sort((one, other) => one - other)).toEqual(state.epochs);
        state.epochs.forEach((since, index) => {
          expect(epochOf(state, since)).toBe(since);
          expect(epochOf(state, (state.epochs[index + 1] ?? Infinity) - 1)).toBe(since);
        });
      }),
    );
  });
});
