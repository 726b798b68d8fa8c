import { z } from 'zod';
import { defineCommand, type CommandOf } from '../message.ts';
import { ApiKeyRecord } from './api-key.ts';

/** Adds a key beside the app's others. Kafka key: app id. */
export const IssueKey = defineCommand(
  'IssueKey',
  1,
  z.object({ actor: z.string(), key: ApiKeyRecord }),
  z.object({ keyId: z.int(), createdAt: z.int() }),
);
export type IssueKey = CommandOf<typeof IssueKey>;
