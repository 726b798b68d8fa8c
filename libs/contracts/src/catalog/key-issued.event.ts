import { z } from 'zod';
import { defineEvent, type EventOf } from '../message.ts';
import { ApiKeyRecord } from './api-key.ts';

/** A key works from now on, beside the app's others. `createdAt` is in milliseconds since the epoch. */
export const KeyIssued = defineEvent(
  'KeyIssued',
  1,
  z.object({ appId: z.int(), actor: z.string(), createdAt: z.int(), key: ApiKeyRecord.extend({ keyId: z.int() }) }),
);
export type KeyIssued = EventOf<typeof KeyIssued>;
