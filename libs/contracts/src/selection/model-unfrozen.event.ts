import { z } from 'zod';
import { actor, appId, model } from '../event-fields.ts';
import { defineEvent, type EventOf } from '../message.ts';

export const ModelUnfrozen = defineEvent(
  'ModelUnfrozen',
  1,
  'A model serves what it learns again.',
  z.object({
    appId,
    model,
    actor: actor.optional(),
  }),
);
export type ModelUnfrozen = EventOf<typeof ModelUnfrozen>;
