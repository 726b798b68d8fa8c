import { z } from 'zod';
import { actor, appId, profileId } from '../event-fields.ts';
import { defineEvent, type EventOf } from '../message.ts';

export const ProfileErased = defineEvent(
  'ProfileErased',
  1,
  'The profile’s person is forgotten: there is no profile any more, and the record on ' +
    '`profile.personal` is a tombstone. A ProfileCreated may follow in the same stream, if the customer ' +
    'comes back: it begins with nothing.',
  z.object({
    appId,
    profileId,
    actor,
    erasedAt: z.int().describe('In milliseconds since the epoch'),
  }),
);
export type ProfileErased = EventOf<typeof ProfileErased>;
