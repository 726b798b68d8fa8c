import { z } from 'zod';
import { defineEvent, type EventOf } from '../message.ts';

/** The key opens nothing any more. `revokedAt` is in milliseconds since the epoch. */
export const KeyRevoked = defineEvent(
  'KeyRevoked',
  1,
  z.object({ appId: z.int(), actor: z.string(), keyId: z.int(), revokedAt: z.int() }),
);
export type KeyRevoked = EventOf<typeof KeyRevoked>;
