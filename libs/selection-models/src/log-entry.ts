import { AiShare } from '@paywright/contracts';
import type { LearningRecord } from '@paywright/selection-engine';
import { z } from 'zod';

const at = z.number();
const exposure = {
  id: z.string(),
  at,
  paywall: z.string(),
  values: z.record(z.string(), z.string()),
  side: z.enum(['ai', 'baseline']).nullable(),
  share: z.number(),
  logValue: z.number().nullable(),
};

/**
 * What holds since a change of the model's own stream: `version` is that stream's, and older ones are behind newer ones.
 * `aiShare` is what the guard leaves of what a person does. `isRestored`: a person just said what AI has, and what the
 * guard had taken is given back.
 */
export const ControlEntry = z.object({
  type: z.literal('control'),
  at,
  version: z.int(),
  aiShare: AiShare,
  isFrozen: z.boolean(),
  isRestored: z.boolean(),
});
export type ControlEntry = z.output<typeof ControlEntry>;

/** A rebuild of the model is made of all that the log has before this. `night`: the time that it was due at, its name. */
export const RebuildEntry = z.object({ type: z.literal('rebuild'), at, night: z.number() });
export type RebuildEntry = z.output<typeof RebuildEntry>;

/**
 * What came of a rebuild. Promoted, it has the model's place from here on, with what the log has meanwhile. Losses are
 * Poisson log losses an exposure, of the last day's starts: see the engine's `Examination`.
 */
export const RebuiltEntry = z.object({
  type: z.literal('rebuilt'),
  at,
  night: z.number(),
  isPromoted: z.boolean(),
  liveLoss: z.number(),
  rebuiltLoss: z.number(),
  /** By which both were judged. */
  judgedExposures: z.int().min(0),
  /** That the rebuilt model learned from. */
  exposures: z.int().min(0),
  /** Of the snapshots that the two would have been served by. */
  liveSha256: z.string(),
  rebuiltSha256: z.string(),
  /** The offset of the oldest exposure that was young enough: no later rebuild need read what is before it. */
  from: z.string(),
  /** Young enough were exposures from then on; absent of former builds. */
  since: at.optional(),
});
export type RebuiltEntry = z.output<typeof RebuiltEntry>;

/** The value of a record on `selection.learning`: the engine's records, and what was done to the model. */
export const LogEntry = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('decision'),
    id: z.string(),
    at,
    paywall: z.string(),
    probabilities: z.array(z.tuple([z.string(), z.number()])),
  }),
  z.object({ type: z.literal('shown'), ...exposure }),
  z.object({
    type: z.literal('start'),
    id: z.string(),
    at,
    exposure: z.object(exposure),
    product: z.string(),
    plan: z.string(),
    country: z.string(),
    periodDays: z.number(),
    trialDays: z.number(),
  }),
  // An extra of 0 USD tells the next charge, that it renews again, or of a charge that has no USD yet, as a refund of 0 USD does of one: the log
  // is kept for ever, and a learner that reads no such adds nothing.
  z.object({
    type: z.literal('money'),
    id: z.string(),
    chain: z.string(),
    at,
    kind: z.enum(['charge', 'refund', 'extra', 'ended']),
    usd: z.number(),
    nextChargeUsd: z.number().nullable(),
    valuedBy: z.string().optional(),
    periodDays: z.number().optional(),
    renews: z.boolean().optional(),
    reverses: z.boolean().optional(),
  }),
  z.object({ type: z.literal('tick'), at }),
  z.object({
    type: z.literal('catalogue'),
    at,
    revision: z.int(),
    horizonDays: z.number(),
    arms: z.array(z.object({ paywall: z.string(), design: z.array(z.string()) })),
  }),
  ControlEntry,
  RebuildEntry,
  RebuiltEntry,
]) satisfies z.ZodType<LearningRecord | ControlEntry | RebuildEntry | RebuiltEntry>;
export type LogEntry = LearningRecord | ControlEntry | RebuildEntry | RebuiltEntry;
