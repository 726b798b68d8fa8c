import { z } from 'zod';
import { actor, appId, model } from '../event-fields.ts';
import { defineEvent, type EventOf } from '../message.ts';

/** A model serves what it learns again. */
export const ModelUnfrozen = defineEvent(
  'ModelUnfrozen',
  1,
  z.object({
    appId,
    model,
    actor: actor.optional(),
  }),
);
export type ModelUnfrozen = EventOf<typeof ModelUnfrozen>;
