import { z } from 'zod';

/** AI minus Baseline an exposure: the truth is within `halfWidth`, at all looks together. */
const Difference = z.object({ difference: z.number(), halfWidth: z.number() });

/** What a guard saw: starts and USD an exposure, null where there was too little; and over how many exposures. */
export const GuardEvidence = z.object({
  starts: Difference.nullable(),
  usd: Difference.nullable(),
  exposures: z.int(),
});
export type GuardEvidence = z.output<typeof GuardEvidence>;

/** How much a guard leaves AI of what it may have. */
export const AiShare = z.union([z.literal(0), z.literal(0.5), z.literal(1)]);
export type AiShare = z.output<typeof AiShare>;
