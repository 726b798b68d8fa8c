import { z } from 'zod';

/**
 * One event as a client reported it. What a token attests replaces explicit fields; `decisionId` is null
 * without a token. `foreignToken` marks a token of another profile: kept, and kept out of learning.
 */
export const ReportedEvent = z.object({
  eventId: z.uuid(),
  eventType: z.string().regex(/^[a-z0-9_]{1,64}$/),
  decisionId: z.uuid().nullable(),
  paywallId: z.int().nullable(),
  placementId: z.string().nullable(),
  aiPricingModelId: z.int().nullable(),
  abTestId: z.int().nullable(),
  isExperiment: z.boolean().nullable(),
  foreignToken: z.boolean(),
});
export type ReportedEvent = z.output<typeof ReportedEvent>;
