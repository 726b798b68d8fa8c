import { z } from 'zod';
import { defineCommand, type CommandOf } from '../message.ts';

/**
 * Erases the person: personal fields for good, the profile until its customer comes back. One that is erased already stays
 * so, with the time of then. `actor` is the name of an admin token. Kafka key: profile id.
 */
export const EraseProfile = defineCommand(
  'EraseProfile',
  1,
  z.object({ actor: z.string() }),
  z.object({ erasedAt: z.int() }),
);
export type EraseProfile = CommandOf<typeof EraseProfile>;
