import { z } from 'zod';
import { defineCommand, type CommandOf } from '../message.ts';

/** What a person can leave AI of the weight that the catalog gives it. */
export const shareLimits = [0, 0.25, 0.5, 1] as const;

const ShareLimit = z.union([z.literal(0), z.literal(0.25), z.literal(0.5), z.literal(1)]);
export type ShareLimit = z.output<typeof ShareLimit>;

/**
 * Leaves a model's AI target so much of its weight, whatever its guard had left it; 1 gives it back whole. `actor` is the
 * name of the admin token that asks. Kafka key: the model's stream, `modelStreamOf`.
 */
export const LimitModelShare = defineCommand(
  'LimitModelShare',
  1,
  z.object({ model: z.string(), aiShare: ShareLimit, actor: z.string().optional() }),
  z.object({ aiShare: ShareLimit }),
);
export type LimitModelShare = CommandOf<typeof LimitModelShare>;
