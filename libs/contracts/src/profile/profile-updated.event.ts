import { z } from 'zod';
import { defineEvent, type EventOf } from '../message.ts';
import { ProfileFieldChanges } from './profile-fields.ts';

/**
 * `changes` holds the new values of the fields that changed, null for one that was cleared. `personal` tells that a personal record
 * of this version exists beside it.
 */
export const ProfileUpdated = defineEvent(
  'ProfileUpdated',
  1,
  z.object({ appId: z.int(), profileId: z.uuid(), changes: ProfileFieldChanges, personal: z.boolean() }),
);
export type ProfileUpdated = EventOf<typeof ProfileUpdated>;
