import { z } from 'zod';
import { actor, appId, model } from '../event-fields.ts';
import { defineEvent, type EventOf } from '../message.ts';
import { AiShare, GuardEvidence } from './guard-evidence.ts';

export const ModelGuardReleased = defineEvent(
  'ModelGuardReleased',
  1,
  'A model’s AI target has more of its traffic again.',
  z.object({
    appId,
    model,
    aiShare: AiShare.describe('What the guard leaves of the weight that AI may have, from now on'),
    formerAiShare: AiShare.describe('What it left until then'),
    evidence: GuardEvidence.nullable().describe('What the guard saw; null: a person did it'),
    actor: actor.optional(),
  }),
);
export type ModelGuardReleased = EventOf<typeof ModelGuardReleased>;
