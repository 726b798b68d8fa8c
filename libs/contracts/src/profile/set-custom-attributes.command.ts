import { z } from 'zod';
import { defineCommand, type CommandOf } from '../message.ts';
import { CustomAttribute } from './custom-attribute.ts';

/** Sets attributes by key; a given id is used only where its key is new. Kafka key: profile id. */
export const SetCustomAttributes = defineCommand(
  'SetCustomAttributes',
  1,
  z.object({ attributes: z.array(CustomAttribute).min(1).max(500) }),
  z.object({ created: z.boolean(), attributes: z.array(CustomAttribute) }),
);
export type SetCustomAttributes = CommandOf<typeof SetCustomAttributes>;
