import { z } from 'zod';
import { defineCommand, type CommandOf } from '../message.ts';
import { PersonalFieldChanges, ProfileFieldChanges } from './profile-fields.ts';

/**
 * Creates the profile, or changes the given fields of the one that exists. `createdAt`, in milliseconds since the
 * epoch, comes with a new one, but from an earlier version of the service. `allPersonalGiven` comes where nothing changed:
 * whether the profile has no personal field but those of the command. Kafka key: profile id.
 */
export const SaveProfile = defineCommand(
  'SaveProfile',
  1,
  z.object({ fields: ProfileFieldChanges, personal: PersonalFieldChanges }),
  z.object({ created: z.boolean(), createdAt: z.int().optional(), allPersonalGiven: z.boolean().optional() }),
);
export type SaveProfile = CommandOf<typeof SaveProfile>;
