import { z } from 'zod';
import { appId, profileId } from '../event-fields.ts';
import { defineEvent, type EventOf } from '../message.ts';
import { ProfileFields } from './profile-fields.ts';

/** The first event of a profile. */
export const ProfileCreated = defineEvent(
  'ProfileCreated',
  1,
  z.object({
    appId,
    profileId,
    fields: ProfileFields.partial().describe('Those that are known'),
    personal: z.boolean().describe('Whether a record of this version is on profile.personal'),
  }),
);
export type ProfileCreated = EventOf<typeof ProfileCreated>;
