import { z } from 'zod';
import { actor, appId } from '../event-fields.ts';
import { defineEvent, type EventOf } from '../message.ts';
import { ApiKeyRecord } from './api-key.ts';

export const AppCreated = defineEvent(
  'AppCreated',
  1,
  'An app with its first keys.',
  z.object({
    appId,
    name: z.string().describe('Name for people'),
    actor,
    createdAt: z.int().describe('In milliseconds since the epoch'),
    keys: z.array(ApiKeyRecord.extend({ keyId: z.int().describe('The key, in its app') })).describe('Its first keys'),
  }),
);
export type AppCreated = EventOf<typeof AppCreated>;
