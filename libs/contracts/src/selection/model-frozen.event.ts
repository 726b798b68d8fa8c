import { z } from 'zod';
import { actor, appId, model } from '../event-fields.ts';
import { defineEvent, type EventOf } from '../message.ts';

export const ModelFrozen = defineEvent(
  'ModelFrozen',
  1,
  'A model serves on as it was, whatever it learns.',
  z.object({
    appId,
    model,
    actor: actor.optional(),
  }),
);
export type ModelFrozen = EventOf<typeof ModelFrozen>;
