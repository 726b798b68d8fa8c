import { z } from 'zod';
import { defineEvent, type EventOf } from '../message.ts';

/** A model serves what it learns again. */
export const ModelUnfrozen = defineEvent(
  'ModelUnfrozen',
  1,
  z.object({
    appId: z.int().describe('The app'),
    model: z.string().describe('The model, by its id in the catalog'),
    actor: z.string().optional().describe('Name of the admin token that asked for it'),
  }),
);
export type ModelUnfrozen = EventOf<typeof ModelUnfrozen>;
