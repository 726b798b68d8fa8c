import { z } from 'zod';
import { defineEvent, type EventOf } from '../message.ts';
import { ApiKeyRecord } from './api-key.ts';

/** An app with its first keys. `createdAt` is in milliseconds since the epoch. */
export const AppCreated = defineEvent(
  'AppCreated',
  1,
  z.object({
    appId: z.int(),
    name: z.string(),
    actor: z.string(),
    createdAt: z.int(),
    keys: z.array(ApiKeyRecord.extend({ keyId: z.int() })),
  }),
);
export type AppCreated = EventOf<typeof AppCreated>;
