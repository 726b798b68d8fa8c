import { z } from 'zod';
import { defineCommand, type CommandOf } from '../message.ts';

/**
 * Takes a chain from a profile that was erased at `releasedAt` (milliseconds), if it is the owner. Kafka key: the
 * chain's id.
 */
export const ReleasePurchase = defineCommand(
  'ReleasePurchase',
  1,
  z.object({ profileId: z.uuid(), releasedAt: z.int() }),
  z.object({}),
);
export type ReleasePurchase = CommandOf<typeof ReleasePurchase>;
