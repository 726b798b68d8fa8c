import { z } from 'zod';
import { appId, profileId } from '../event-fields.ts';
import { defineEvent, type EventOf } from '../message.ts';
import { ProfileFieldChanges } from './profile-fields.ts';

export const ProfileUpdated = defineEvent(
  'ProfileUpdated',
  1,
  'Some fields have another value, or personal fields have.',
  z.object({
    appId,
    profileId,
    changes: ProfileFieldChanges.describe('New values of the fields that changed; null: cleared'),
    personal: z.boolean().describe('Whether a record of this version is on profile.personal'),
  }),
);
export type ProfileUpdated = EventOf<typeof ProfileUpdated>;
