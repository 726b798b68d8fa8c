import { z } from 'zod';
import { appId, model } from '../event-fields.ts';
import { defineEvent, type EventOf } from '../message.ts';
import { AiShare, GuardEvidence } from './guard-evidence.ts';

export const ModelGuardTripped = defineEvent(
  'ModelGuardTripped',
  1,
  'A model’s AI target surely earned less than Baseline: it has less of its traffic from now on, and ' +
    'Baseline more.',
  z.object({
    appId,
    model,
    aiShare: AiShare.describe('What the guard leaves of the weight that AI may have, from now on'),
    formerAiShare: AiShare.describe('What it left until then'),
    evidence: GuardEvidence.describe('What the guard saw'),
  }),
);
export type ModelGuardTripped = EventOf<typeof ModelGuardTripped>;
