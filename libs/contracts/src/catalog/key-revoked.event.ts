import { z } from 'zod';
import { defineEvent, type EventOf } from '../message.ts';

export const KeyRevoked = defineEvent('KeyRevoked', 1, z.object({ appId: z.int(), actor: z.string(), keyId: z.int() }));
export type KeyRevoked = EventOf<typeof KeyRevoked>;
