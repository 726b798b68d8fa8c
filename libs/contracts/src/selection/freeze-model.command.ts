import { z } from 'zod';
import { defineCommand, type CommandOf } from '../message.ts';

/**
 * Keeps a model serving as it is, or ends that. It learns on meanwhile, and what it learned is served once the freeze
 * ends. `actor` is the name of the admin token that asks. Kafka key: the model's stream, `modelStreamOf`.
 */
export const FreezeModel = defineCommand(
  'FreezeModel',
  1,
  z.object({ model: z.string(), isFrozen: z.boolean(), actor: z.string().optional() }),
  z.object({ isFrozen: z.boolean() }),
);
export type FreezeModel = CommandOf<typeof FreezeModel>;
