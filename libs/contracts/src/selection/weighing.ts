import { z } from 'zod';
import { model } from '../event-fields.ts';

/**
 * How AI and Baseline traffic of the serving placement would have shown each candidate: what off-policy evaluation
 * weighs by. It is there wherever one of the two was drawn, and AI could have been.
 */
export const Weighing = z.object({
  model,
  policy: z.string().describe("The engine's version and, behind a colon, the SHA-256 of the model's snapshot"),
  aiWeight: z.number().describe('Weight of AI in the draw, as guard and person left it'),
  baselineWeight: z.number().describe('Weight of Baseline in the draw, with what guard and person took of AI'),
  baselinePaywall: z.string().describe('The Baseline paywall, by its id in the catalog'),
  baselinePropensity: z.number().describe('Chance of the Baseline paywall given AI or Baseline, a candidate or not'),
  utcOffsetMinutes: z.int().nullable().describe("Of the user's clock; null: its time zone is not known"),
  calibration: z
    .object({
      alpha: z.number().describe('Intercept'),
      beta: z.number().describe('Slope'),
      horizonDays: z.number().describe('Days behind a start whose USD are expected'),
    })
    .optional()
    .describe(
      'What came of earlier promises: of a value it makes exp(alpha + beta·log(value)); absent where nothing was learned, and in records of former builds',
    ),
  candidates: z
    .array(
      z.object({
        paywall: z.string().describe('The paywall, by its id in the catalog'),
        score: z.number().describe('Its score under the policy'),
        variance: z.number().nullable().describe('Of the score; null: nothing was learned yet'),
        probability: z.number().describe('Chance given AI'),
        value: z.number().nullable().describe('Expected USD an exposure; null: nothing was learned yet'),
        propensity: z.number().describe('Chance given AI or Baseline'),
      }),
    )
    .describe('Every candidate of the model'),
});
export type Weighing = z.output<typeof Weighing>;
