import { z } from 'zod';
import { defineEvent, type EventOf } from '../message.ts';
import { SelectionContext } from './selection-context.ts';
import { ServedPaywall, targets } from './serve-paywall.command.ts';
import { Weighing } from './weighing.ts';

/**
 * A decision with all that is needed to explain it, to replay it, and to learn from it.
 * `target` is the requested placement's own draw; `path` leads from there to the placement that served.
 * `probability` is that of the chosen candidate under the policy, null where no policy chose.
 * `stickyUntil` is how long the profile keeps this decision (milliseconds since the epoch), null if it does not;
 * `stickyTo` is the earlier decision that this one repeats; `fallback` why the gateway answered by itself.
 * `aiShares` names the models whose guard, or a person, held AI back, with what was left of its weight: the weights of `path` are
 * the reduced ones.
 */
export const PaywallServed = defineEvent(
  'PaywallServed',
  1,
  ServedPaywall.extend({
    appId: z.int(),
    profileId: z.uuid(),
    externalId: z.string(),
    target: z.enum(targets),
    path: z.array(z.object({ placementId: z.string(), target: z.enum(targets), weight: z.number().nullable() })),
    modelVersion: z.string().nullable(),
    candidates: z.array(
      z.object({
        paywall: z.string(),
        paywallId: z.int(),
        externalId: z.string(),
        score: z.number(),
        probability: z.number(),
      }),
    ),
    probability: z.number().nullable(),
    seed: z.string(),
    context: SelectionContext,
    latencyMs: z.int().min(0),
    stickyUntil: z.int().nullable(),
    stickyTo: z.uuid().nullable(),
    fallback: z.string().nullable(),
    weighing: Weighing.optional(),
    aiShares: z.record(z.string(), z.number()).optional(),
  }),
);
export type PaywallServed = EventOf<typeof PaywallServed>;
