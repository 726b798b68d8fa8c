import { describe, expect, it } from '@jest/globals';
import { standardNormals } from '../testing/standard-normals.ts';
import { learnFollowing, pairOf, type Pair } from './following.ts';

const variance = 0.13;
const none = learnFollowing([]);

describe('by how much later renewals follow the first', () => {
  it('is half while no later ones were seen, and leaves two thirds', () => {
    expect(none.slope).toBeCloseTo(0.5, 12);
    expect(none.left).toBeCloseTo(2 / 3, 2);
    expect(learnFollowing([{ pairs: [], variance }])).toEqual(none);
  });

  it.each([0.1, 0.5, 0.9])('is found where it is %s, in products of plans that differ', (correlation) => {
    const next = standardNormals(1);
    const [sd, noise] = [Math.sqrt(variance), 0.1];
    const drawnAbout = ({ first, later }: { first: number; later: number }) => {
      const [moved, other] = [next(), next()];
      const follows = correlation * moved + Math.sqrt(1 - correlation ** 2) * other;
      return { first: first + sd * moved, later: later + sd * follows };
    };
    const plans = Array.from({ length: 200 }, () => {
      const plan = drawnAbout({ first: 0, later: 0 });
      const pairs = Array.from({ length: 4 }, (): Pair => {
        const { first, later } = drawnAbout(plan);
        const seen = { firstVariance: noise ** 2, laterVariance: noise ** 2 };
        return { first: first + noise * next(), later: later + noise * next(), ...seen };
      });
      return { pairs, variance };
    });
    const { slope, left } = learnFollowing(plans);
    expect(Math.abs(slope - correlation)).toBeLessThan(0.08);
    expect(Math.abs(left - (1 - correlation ** 2))).toBeLessThan(0.1);
  });

  it('is told by one product, the more of its renewals were seen', () => {
    const prior = [51, 9] as const;
    const slopeOf = (count: number, first: number, later: number) => {
      const seen = (share: number) => ({ yes: count * share, no: count * (1 - share) });
      const pair = pairOf({ ...seen(first), rate: first }, seen(later), prior);
      return learnFollowing([{ pairs: [pair], variance }]).slope;
    };
    const [few, more] = [slopeOf(20, 0.7, 0.7), slopeOf(1_000, 0.7, 0.7)];
    expect(few).toBeGreaterThan(0.5);
    expect(more).toBeGreaterThan(few);
    expect(more).toBeGreaterThan(0.65);
    expect(slopeOf(1_000, 0.44, 0.79)).toBeLessThan(0.3);
    // Of whom all were renewed, or none, it is a number as well.
    for (const later of [0, 1]) expect(slopeOf(5, 0.7, later)).toBeLessThan(1);
  });
});
