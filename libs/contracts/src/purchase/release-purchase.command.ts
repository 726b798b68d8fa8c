import { z } from 'zod';
import { defineCommand, type CommandOf } from '../message.ts';

/**
 * Takes a chain from a profile that was erased at `releasedAt` (milliseconds), if it is the owner. Where its person has
 * come back, as of `profileCreatedAt`, what they have claimed since stays theirs; null where there is no profile, absent
 * in commands of earlier releases. Kafka key: the chain's id.
 */
export const ReleasePurchase = defineCommand(
  'ReleasePurchase',
  1,
  z.object({ profileId: z.uuid(), releasedAt: z.int(), profileCreatedAt: z.int().nullable().optional() }),
  z.object({}),
);
export type ReleasePurchase = CommandOf<typeof ReleasePurchase>;
