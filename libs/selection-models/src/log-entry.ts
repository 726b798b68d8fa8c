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
 * `aiShare` is what the guard leaves of what a person does. `isRestored`: a person just said what AI has, and the guard
 * begins anew.
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
  z.object({
    type: z.literal('money'),
    id: z.string(),
    chain: z.string(),
    at,
    kind: z.enum(['charge', 'refund', 'extra', 'ended']),
    usd: z.number(),
    nextChargeUsd: z.number().nullable(),
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
]) satisfies z.ZodType<LearningRecord | ControlEntry>;
export type LogEntry = LearningRecord | ControlEntry;
