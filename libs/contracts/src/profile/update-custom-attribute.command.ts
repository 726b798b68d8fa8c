import { z } from 'zod';
import { defineCommand, type CommandOf } from '../message.ts';
import { CustomAttribute } from './custom-attribute.ts';

/** Changes key and value of the attribute with this id. Kafka key: profile id. */
export const UpdateCustomAttribute = defineCommand(
  'UpdateCustomAttribute',
  1,
  // Any text: what is no attribute's id names none.
  CustomAttribute.extend({ id: z.string() }),
  z.object({ attribute: CustomAttribute }),
);
export type UpdateCustomAttribute = CommandOf<typeof UpdateCustomAttribute>;
