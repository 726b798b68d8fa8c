import { z } from 'zod';
import { defineEvent, type EventOf } from '../message.ts';
import { ApiKeyRecord } from './api-key.ts';

/** A key works from now on, beside the app's others. */
export const KeyIssued = defineEvent(
  'KeyIssued',
  1,
  z.object({
    appId: z.int().describe('The app'),
    actor: z.string().describe('Name of the admin token that asked for it'),
    createdAt: z.int().describe('In milliseconds since the epoch'),
    key: ApiKeyRecord.extend({ keyId: z.int().describe('The key, in its app') }).describe('The key'),
  }),
);
export type KeyIssued = EventOf<typeof KeyIssued>;
