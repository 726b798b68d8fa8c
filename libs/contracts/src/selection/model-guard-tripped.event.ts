import { z } from 'zod';
import { defineEvent, type EventOf } from '../message.ts';
import { AiShare, GuardEvidence } from './guard-evidence.ts';

/** A model's AI target surely earned less than Baseline: it has less of its traffic from now on, and Baseline more. */
export const ModelGuardTripped = defineEvent(
  'ModelGuardTripped',
  1,
  z.object({
    appId: z.int(),
    model: z.string(),
    aiShare: AiShare,
    formerAiShare: AiShare,
    evidence: GuardEvidence,
  }),
);
export type ModelGuardTripped = EventOf<typeof ModelGuardTripped>;
