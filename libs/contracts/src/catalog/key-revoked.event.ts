import { z } from 'zod';
import { actor, appId } from '../event-fields.ts';
import { defineEvent, type EventOf } from '../message.ts';

/** The key opens nothing any more. */
export const KeyRevoked = defineEvent(
  'KeyRevoked',
  1,
  z.object({
    appId,
    actor,
    keyId: z.int().describe('The key, in its app'),
    revokedAt: z.int().describe('In milliseconds since the epoch'),
  }),
);
export type KeyRevoked = EventOf<typeof KeyRevoked>;
