import { z } from 'zod';
import { defineCommand, type CommandOf } from '../message.ts';
import { Store } from '../purchase/purchase-facts.ts';

/**
 * Tells that an app's credentials for a store were set, or removed: they themselves are kept elsewhere. The removal of
 * what was not set is nothing. Kafka key: app id.
 */
export const RecordCredentialsChange = defineCommand(
  'RecordCredentialsChange',
  1,
  z.object({ actor: z.string(), store: Store, change: z.enum(['set', 'removed']) }),
  z.object({}),
);
export type RecordCredentialsChange = CommandOf<typeof RecordCredentialsChange>;
