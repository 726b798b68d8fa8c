import { z } from 'zod';
import { defineEvent, type EventOf } from '../message.ts';

/**
 * The profile's person is forgotten: there is no profile any more, and the record on `profile.personal` is a tombstone. A
 * ProfileCreated may follow in the same stream, if the customer comes back: it begins with nothing. `actor` is who asked for
 * it; `erasedAt` in milliseconds since the epoch.
 */
export const ProfileErased = defineEvent(
  'ProfileErased',
  1,
  z.object({ appId: z.int(), profileId: z.uuid(), actor: z.string(), erasedAt: z.int() }),
);
export type ProfileErased = EventOf<typeof ProfileErased>;
