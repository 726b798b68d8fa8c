import { z } from 'zod';
import { appId, profileId } from '../event-fields.ts';
import { defineEvent, type EventOf } from '../message.ts';
import { ProfileFields } from './profile-fields.ts';

export const ProfileCreated = defineEvent(
  'ProfileCreated',
  1,
  'A profile began: somebody is known from now on.',
  z.object({
    appId,
    profileId,
    fields: ProfileFields.partial().describe('Those that are known'),
    personal: z.boolean().describe('Whether a record of this version is on profile.personal'),
  }),
);
export type ProfileCreated = EventOf<typeof ProfileCreated>;
