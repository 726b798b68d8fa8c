import { describe, expect, it } from '@jest/globals';
import { randomNumbers } from '../testing/random-numbers.ts';
import type { Stratum } from '../trainer/side-sums.ts';
import { compareSides, guardAlphas, outlookOf, verdictOf } from './confidence-sequence.ts';

const runs = 300;
const betweenLooks = 250;
const startRate = 0.05;

/** Exposures one after the other, of which the AI's starts are so much as many; yields what there is at every look. */
function* looks(seed: number, aiShare: number, effect: number): Generator<Stratum> {
  const next = randomNumbers(seed);
  const nothing = { exposures: 0, starts: 0, usd: 0, usdSquares: 0, rateErrorsUsd: {} };
  const [ai, baseline] = [{ ...nothing }, { ...nothing }];
  for (let index = 1; ; index++) {
    const isAi = next() < aiShare;
    const side = isAi ? ai : baseline;
    side.exposures++;
    if (next() < startRate * (isAi ? effect : 1)) {
      const usd = Math.min(100, 10 / (1 - next()));
      side.starts++;
      side.usd += usd;
      side.usdSquares += usd * usd;
    }
    if (index % betweenLooks === 0) yield { share: aiShare, ai: { ...ai }, baseline: { ...baseline } };
  }
}

const exposuresOf = ({ ai, baseline }: Stratum) => ai.exposures + baseline.exposures;

/** What is told at so many exposures, counted from the first one. */
function toldAt(exposures: number, aiShare: number, share: number): number {
  for (const stratum of looks(runs + 1, aiShare, 1))
    if (exposuresOf(stratum) >= exposures) return exposures + (outlookOf([stratum], share)?.exposures ?? NaN);
  return NaN;
}

function isFoundWithin(exposures: number, seed: number, aiShare: number, effect: number): boolean {
  for (const stratum of looks(seed, aiShare, effect)) {
    if (exposuresOf(stratum) > exposures) return false;
    if (verdictOf(compareSides([stratum], 'usd', guardAlphas.usd)) !== 'open') return true;
  }
  return false;
}

describe('how long it takes to find a difference', () => {
  it.each([
    [0.5, 1.3],
    [0.9, 0.6],
  ])('with AI at %d that brings %d times as much, is told as it comes in four of five', (aiShare, effect) => {
    const told = toldAt(10_000, aiShare, Math.abs(effect - 1));
    let [found, half] = [0, 0];
    for (let seed = 1; seed <= runs; seed++) {
      if (isFoundWithin(told, seed, aiShare, effect)) found++;
      if (isFoundWithin(told / 2, seed, aiShare, effect)) half++;
    }
    expect(found / runs).toBeGreaterThan(0.75);
    expect(found / runs).toBeLessThan(0.95);
    expect(half / runs).toBeLessThan(0.6);
  });
});
