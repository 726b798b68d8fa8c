import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { standardNormals } from '../testing/standard-normals.ts';
import { likeliestVariances, type Evidence } from './prior-variance.ts';

/** Weights of that variance, of which so many starts are expected. */
function observed(variance: number, expected: number, weights: number, seed = 1): Evidence {
  const normal = standardNormals(seed);
  const chances = Array.from({ length: weights }, () => Math.sqrt(expected) * normal());
  return {
    scores: chances.map((chance) => chance + expected * Math.sqrt(variance) * normal()),
    expected: chances.map(() => expected),
    free: chances.map(() => 1),
  };
}

const likeliest = (evidence: Evidence, thought: number) => likeliestVariances([evidence], thought)[0]!;

describe('the likeliest variance of weights', () => {
  it('is theirs, where many are observed, though each has few starts', () => {
    for (const variance of [0.003, 0.02, 0.1]) {
      const found = likeliest(observed(variance, 10, 20_000), 0.01);
      expect(found / variance).toBeGreaterThan(0.7);
      expect(found / variance).toBeLessThan(1.4);
    }
  });

  it('is what was thought, where nothing is observed, and stays near where little is', () => {
    expect(likeliest({ scores: [], expected: [], free: [] }, 0.003)).toBe(0.003);
    const few = likeliest(observed(0.1, 2, 12), 0.003);
    expect(few).toBeLessThan(0.012);
    expect(few).toBeGreaterThan(0.0007);
  });

  it('is told by other groups where its own evidence is small', () => {
    const alone = observed(0, 30, 8, 1);
    const others = Array.from({ length: 12 }, (_, seed) => observed(0, 60, 200, 2 + seed));
    expect(likeliestVariances([alone, ...others], 0.01)[0]).toBeLessThan(likeliest(alone, 0.01));
  });

  it('is each group’s own where it says much, and one that differs hardly moves the others', () => {
    const noise = Array.from({ length: 12 }, (_, seed) => observed(0.002, 60, 200, seed));
    const [among, first] = likeliestVariances([observed(0.3, 60, 200, 99), ...noise], 0.01);
    expect(among).toBeGreaterThan(0.2);
    expect(first! / likeliestVariances(noise, 0.01)[0]!).toBeLessThan(1.3);
  });

  it('is small where scores are chance alone', () => {
    expect(likeliest(observed(0, 30, 5_000), 0.01)).toBeLessThan(0.002);
  });

  it('counts as chance only what the weights around a weight have left of it', () => {
    // Fitted rows and columns take half of the chance away: scores half as varied tell the same.
    const { scores, expected } = observed(0.01, 20, 5_000);
    const halved = { scores: scores.map((score) => score / 2), expected, free: expected.map(() => 0.25) };
    const narrowed = { ...halved, free: expected.map(() => 1) };
    expect(likeliest(halved, 0.01)).toBeGreaterThan(5 * likeliest(narrowed, 0.01));
  });

  it('is finite and positive of any evidence', () => {
    const number = fc.record({
      score: fc.double({ min: -1e4, max: 1e4, noNaN: true }),
      expected: fc.double({ min: 0.01, max: 1e6, noNaN: true }),
      free: fc.double({ min: 0.1, max: 1, noNaN: true }),
    });
    fc.assert(
      fc.property(fc.array(fc.array(number), { maxLength: 4 }), (groups) => {
        const evidence = groups.map((weights) => ({
          scores: weights.map(({ score }) => score),
          expected: weights.map(({ expected }) => expected),
          free: weights.map(({ free }) => free),
        }));
        const found = likeliestVariances(evidence, 0.003);
        expect(found.every((one) => one > 0 && one < Infinity)).toBe(true);
        expect(found).toHaveLength(groups.length);
      }),
    );
  });
});
