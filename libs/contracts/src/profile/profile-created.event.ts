import { z } from 'zod';
import { defineEvent, type EventOf } from '../message.ts';
import { ProfileFields } from './profile-fields.ts';

/** The first event of a profile. `personal` tells that a personal record of this version exists beside it. */
export const ProfileCreated = defineEvent(
  'ProfileCreated',
  1,
  z.object({ appId: z.int(), profileId: z.uuid(), fields: ProfileFields.partial(), personal: z.boolean() }),
);
export type ProfileCreated = EventOf<typeof ProfileCreated>;
