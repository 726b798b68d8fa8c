import { z } from 'zod';
import { defineEvent, type EventOf } from '../message.ts';

/** A model serves on as it was, whatever it learns. */
export const ModelFrozen = defineEvent(
  'ModelFrozen',
  1,
  z.object({
    appId: z.int().describe('The app'),
    model: z.string().describe('The model, by its id in the catalog'),
    actor: z.string().optional().describe('Name of the admin token that asked for it'),
  }),
);
export type ModelFrozen = EventOf<typeof ModelFrozen>;
