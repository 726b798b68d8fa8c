import { z } from 'zod';
import { defineEvent, type EventOf } from '../message.ts';
import { AiShare, GuardEvidence } from './guard-evidence.ts';

/** A model's AI target has more of its traffic again. */
export const ModelGuardReleased = defineEvent(
  'ModelGuardReleased',
  1,
  z.object({
    appId: z.int().describe('The app'),
    model: z.string().describe('The model, by its id in the catalog'),
    aiShare: AiShare.describe('What the guard leaves of the weight that AI may have, from now on'),
    formerAiShare: AiShare.describe('What it left until then'),
    evidence: GuardEvidence.nullable().describe('What the guard saw; null: a person did it'),
    actor: z.string().optional().describe('Name of the admin token that asked for it'),
  }),
);
export type ModelGuardReleased = EventOf<typeof ModelGuardReleased>;
