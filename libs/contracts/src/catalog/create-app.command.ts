import { z } from 'zod';
import { defineCommand, type CommandOf } from '../message.ts';
import { ApiKeyRecord } from './api-key.ts';

/**
 * Claims the app id that is the command's key. APP_NOT_FOUND says that the id is taken: the gateway then
 * claims the next one. Kafka key: app id.
 */
export const CreateApp = defineCommand(
  'CreateApp',
  1,
  z.object({ name: z.string().min(1).max(255), actor: z.string(), keys: z.array(ApiKeyRecord).min(1) }),
  z.object({ created: z.boolean() }),
);
export type CreateApp = CommandOf<typeof CreateApp>;
