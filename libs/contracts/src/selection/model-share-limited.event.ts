import { z } from 'zod';
import { defineEvent, type EventOf } from '../message.ts';

const Share = z.number().min(0).max(1);

/**
 * A person left a model's AI target so much of its weight, and Baseline the rest. Its guard has taken nothing of it yet:
 * what it takes from now on, it takes of this.
 */
export const ModelShareLimited = defineEvent(
  'ModelShareLimited',
  1,
  z.object({
    appId: z.int(),
    model: z.string(),
    aiShare: Share,
    /** What guard and person together had left until then. */
    formerAiShare: Share,
    /** Name of the admin token that asked for it. */
    actor: z.string().optional(),
  }),
);
export type ModelShareLimited = EventOf<typeof ModelShareLimited>;
