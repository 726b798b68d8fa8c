import { z } from 'zod';
import { defineEvent, type EventOf } from '../message.ts';

/** A model serves on as it was, whatever it learns. */
export const ModelFrozen = defineEvent(
  'ModelFrozen',
  1,
  z.object({
    appId: z.int(),
    model: z.string(),
    /** Name of the admin token that asked for it. */
    actor: z.string().optional(),
  }),
);
export type ModelFrozen = EventOf<typeof ModelFrozen>;
