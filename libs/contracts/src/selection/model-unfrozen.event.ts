import { z } from 'zod';
import { defineEvent, type EventOf } from '../message.ts';

/** A model serves what it learns again. */
export const ModelUnfrozen = defineEvent(
  'ModelUnfrozen',
  1,
  z.object({
    appId: z.int(),
    model: z.string(),
    /** Name of the admin token that asked for it. */
    actor: z.string().optional(),
  }),
);
export type ModelUnfrozen = EventOf<typeof ModelUnfrozen>;
