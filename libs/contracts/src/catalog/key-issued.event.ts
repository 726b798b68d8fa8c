import { z } from 'zod';
import { actor, appId } from '../event-fields.ts';
import { defineEvent, type EventOf } from '../message.ts';
import { ApiKeyRecord } from './api-key.ts';

export const KeyIssued = defineEvent(
  'KeyIssued',
  1,
  'A key works from now on, beside the app’s others.',
  z.object({
    appId,
    actor,
    createdAt: z.int().describe('In milliseconds since the epoch'),
    key: ApiKeyRecord.extend({ keyId: z.int().describe('The key, in its app') }).describe('The key'),
  }),
);
export type KeyIssued = EventOf<typeof KeyIssued>;
