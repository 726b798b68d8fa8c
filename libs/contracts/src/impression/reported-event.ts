import { z } from 'zod';

/** One event as a client reported it. What a session token attests replaces explicit fields. */
export const ReportedEvent = z.object({
  eventId: z.uuid().describe('The event'),
  eventType: z
    .string()
    .regex(/^[a-z0-9_]{1,64}$/)
    .describe('What happened, such as paywall_shown'),
  decisionId: z.uuid().nullable().describe('The decision that the session token is of; null: there was no token'),
  paywallId: z.int().nullable().describe('The paywall, by its integer; null: not told'),
  placementId: z.string().nullable().describe('The placement that was asked for; null: not told'),
  aiPricingModelId: z.int().nullable().describe('The model of that placement, by its integer; null: none, or not told'),
  abTestId: z.int().nullable().describe('The A/B test; null: none, or not told'),
  isExperiment: z.boolean().nullable().describe('Whether the draw fell on the AI model; null: not told'),
  foreignToken: z.boolean().describe("Whether the token is another profile's: kept, and kept out of learning"),
});
export type ReportedEvent = z.output<typeof ReportedEvent>;
