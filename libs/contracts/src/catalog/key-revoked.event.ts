import { z } from 'zod';
import { actor, appId } from '../event-fields.ts';
import { defineEvent, type EventOf } from '../message.ts';

export const KeyRevoked = defineEvent(
  'KeyRevoked',
  1,
  'The key opens nothing any more.',
  z.object({
    appId,
    actor,
    keyId: z.int().describe('The key, in its app'),
    revokedAt: z.int().describe('In milliseconds since the epoch'),
  }),
);
export type KeyRevoked = EventOf<typeof KeyRevoked>;
