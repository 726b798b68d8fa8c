import { z } from 'zod';
import { defineEvent, type EventOf } from '../message.ts';
import { ProfileFields } from './profile-fields.ts';

/** The first event of a profile. */
export const ProfileCreated = defineEvent(
  'ProfileCreated',
  1,
  z.object({
    appId: z.int().describe('The app'),
    profileId: z.uuid().describe('The profile'),
    fields: ProfileFields.partial().describe('Those that are known'),
    personal: z.boolean().describe('Whether a record of this version is on profile.personal'),
  }),
);
export type ProfileCreated = EventOf<typeof ProfileCreated>;
