import type { EpochStratum } from '@paywright/selection-engine';
import { z } from 'zod';

const SideSums = z.object({
  exposures: z.number(),
  pending: z.number().default(0),
  pendingErrors: z.record(z.string(), z.number()).default({}),
  starts: z.number(),
  usd: z.number(),
  usdSquares: z.number(),
  // Reports of former builds have none, nor `pending` and its errors.
  rateErrorsUsd: z.record(z.string(), z.number()).default({}),
});

/** What is read of a report that selection's learner has stored with a model's newest snapshot. */
export const StoredReport = z.object({
  strata: z.array(
    z.object({ since: z.number(), share: z.number(), ai: SideSums, baseline: SideSums }),
  ) satisfies z.ZodType<EpochStratum[]>,
  guard: z.object({ epochs: z.array(z.number()) }),
  draws: z.array(z.object({ paywall: z.string(), drawn: z.number(), expected: z.number(), shown: z.number() })),
  driftAlarms: z.number(),
  starts: z.number(),
  // Reports of former builds have none.
  promises: z.array(z.object({ exposures: z.number(), promisedUsd: z.number(), broughtUsd: z.number() })).default([]),
  rebuild: z
    .object({
      night: z.number(),
      isPromoted: z.boolean(),
      liveLoss: z.number(),
      rebuiltLoss: z.number(),
      judgedExposures: z.number(),
      exposures: z.number(),
    })
    .nullable()
    .default(null),
});
export type StoredReport = z.output<typeof StoredReport>;
