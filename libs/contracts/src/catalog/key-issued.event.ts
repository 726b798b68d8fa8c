import { z } from 'zod';
import { defineEvent, type EventOf } from '../message.ts';
import { ApiKeyRecord } from './api-key.ts';

export const KeyIssued = defineEvent(
  'KeyIssued',
  1,
  z.object({ appId: z.int(), actor: z.string(), key: ApiKeyRecord.extend({ keyId: z.int() }) }),
);
export type KeyIssued = EventOf<typeof KeyIssued>;
