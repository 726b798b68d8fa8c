import { z } from 'zod';
import { actor, appId, model } from '../event-fields.ts';
import { defineEvent, type EventOf } from '../message.ts';

const Share = z.number().min(0).max(1);

export const ModelShareLimited = defineEvent(
  'ModelShareLimited',
  1,
  'A person left a model’s AI target so much of its weight, and Baseline the rest. Its guard has taken ' +
    'nothing of it yet: what it takes from now on, it takes of this.',
  z.object({
    appId,
    model,
    aiShare: Share.describe('What is left of the weight that the catalog gives AI, from now on'),
    formerAiShare: Share.describe('What guard and person together had left until then'),
    actor: actor.optional(),
  }),
);
export type ModelShareLimited = EventOf<typeof ModelShareLimited>;
