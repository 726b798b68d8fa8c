import { z } from 'zod';

/**
 * How AI and Baseline traffic of the serving placement would have shown each candidate: what off-policy evaluation
 * weighs by. It is there wherever one of the two was drawn, and AI could have been.
 *
 * `policy` names the engine's version and, behind a colon, the snapshot's SHA-256; `aiWeight` and `baselineWeight` are
 * those of the draw, a guard's reduction included. Of a candidate: `score` and its `variance`, `probability` given AI,
 * `value` in expected USD an exposure, and `propensity` given AI or Baseline; `variance` and `value` are null where
 * nothing was learned yet. `baselinePropensity` is that of the Baseline paywall, a candidate or not.
 * `utcOffsetMinutes` is that of the user's clock, null where its time zone is not known. `calibration` is there where
 * something was learned: what came of earlier promises makes exp(alpha + beta·log(value)) of a `value`, in USD within
 * `horizonDays` of a start. Records of former builds have none.
 */
export const Weighing = z.object({
  /** The catalog's id of the model. */
  model: z.string(),
  policy: z.string(),
  aiWeight: z.number(),
  baselineWeight: z.number(),
  baselinePaywall: z.string(),
  baselinePropensity: z.number(),
  utcOffsetMinutes: z.int().nullable(),
  calibration: z.object({ alpha: z.number(), beta: z.number(), horizonDays: z.number() }).optional(),
  candidates: z.array(
    z.object({
      paywall: z.string(),
      score: z.number(),
      variance: z.number().nullable(),
      probability: z.number(),
      value: z.number().nullable(),
      propensity: z.number(),
    }),
  ),
});
export type Weighing = z.output<typeof Weighing>;
