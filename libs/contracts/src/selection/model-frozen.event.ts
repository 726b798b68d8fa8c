import { z } from 'zod';
import { actor, appId, model } from '../event-fields.ts';
import { defineEvent, type EventOf } from '../message.ts';

/** A model serves on as it was, whatever it learns. */
export const ModelFrozen = defineEvent(
  'ModelFrozen',
  1,
  z.object({
    appId,
    model,
    actor: actor.optional(),
  }),
);
export type ModelFrozen = EventOf<typeof ModelFrozen>;
