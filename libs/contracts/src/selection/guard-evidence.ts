import { z } from 'zod';

const Difference = z.object({
  difference: z.number().describe('AI minus Baseline'),
  halfWidth: z.number().describe('The true difference is at most so far off, at all looks of the guard together'),
});

/** What a guard saw. */
export const GuardEvidence = z.object({
  starts: Difference.nullable().describe('Starts an exposure; null: too few to compare'),
  usd: Difference.nullable().describe('Expected USD an exposure; null: too little to compare'),
  exposures: z.int().describe('Exposures that were compared'),
});
export type GuardEvidence = z.output<typeof GuardEvidence>;

/** How much a guard leaves AI of what it may have. */
export const AiShare = z.union([z.literal(0), z.literal(0.5), z.literal(1)]);
export type AiShare = z.output<typeof AiShare>;
