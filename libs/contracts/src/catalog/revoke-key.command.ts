import { z } from 'zod';
import { defineCommand, type CommandOf } from '../message.ts';

/** Ends a key for good; a key already revoked keeps its time. Kafka key: app id. */
export const RevokeKey = defineCommand(
  'RevokeKey',
  1,
  z.object({ actor: z.string(), keyId: z.int() }),
  z.object({ revokedAt: z.int() }),
);
export type RevokeKey = CommandOf<typeof RevokeKey>;
