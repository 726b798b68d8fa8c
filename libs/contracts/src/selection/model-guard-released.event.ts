import { z } from 'zod';
import { defineEvent, type EventOf } from '../message.ts';
import { AiShare, GuardEvidence } from './guard-evidence.ts';

/** A model's AI target has more of its traffic again. */
export const ModelGuardReleased = defineEvent(
  'ModelGuardReleased',
  1,
  z.object({
    appId: z.int(),
    model: z.string(),
    aiShare: AiShare,
    formerAiShare: AiShare,
    /** Null: a person did it. */
    evidence: GuardEvidence.nullable(),
    /** Name of the admin token that asked for it. */
    actor: z.string().optional(),
  }),
);
export type ModelGuardReleased = EventOf<typeof ModelGuardReleased>;
