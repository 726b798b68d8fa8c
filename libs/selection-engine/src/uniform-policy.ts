import type { Policy } from './policy.ts';

/** Every candidate as likely as any other: knows nothing, and says so. */
export const uniformPolicy: Policy = {
  version: 'uniform-1',
  choose: (_context, candidates) => ({
    scores: new Float64Array(candidates.length),
    probabilities: new Float64Array(candidates.length).fill(1 / candidates.length),
  }),
};
