import { z } from 'zod';
import { defineCommand, type CommandOf } from '../message.ts';
import { SelectionContext } from './selection-context.ts';
import { ServedPaywall } from './serve-paywall.command.ts';

/**
 * The gateway served Baseline in selection's place, and gave its token. The command's id is the decision's;
 * `supersedes` is the id of the ServePaywall command whose answer did not come in time. Kafka key: profile id.
 */
export const RecordFallback = defineCommand(
  'RecordFallback',
  1,
  ServedPaywall.omit({ decisionId: true }).extend({
    externalId: z.string(),
    supersedes: z.uuid(),
    reason: z.enum(['deadline', 'overload', 'unavailable']),
    context: SelectionContext,
    /** How long the gateway waited for selection, in milliseconds. */
    latencyMs: z.int().min(0).default(0),
  }),
  z.object({}),
);
export type RecordFallback = CommandOf<typeof RecordFallback>;
