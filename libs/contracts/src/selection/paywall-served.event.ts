import { z } from 'zod';
import { appId, profileId } from '../event-fields.ts';
import { defineEvent, type EventOf } from '../message.ts';
import { SelectionContext } from './selection-context.ts';
import { ServedPaywall, targets } from './serve-paywall.command.ts';
import { Weighing } from './weighing.ts';

export const PaywallServed = defineEvent(
  'PaywallServed',
  1,
  'A paywall was chosen for a profile: the decision, with all that is needed to explain it, to replay ' +
    'it, and to learn from it.',
  ServedPaywall.extend({
    appId,
    profileId,
    externalId: z.string().describe('The name by which the app knows the paywall'),
    target: z.enum(targets).describe('What the draw of the placement that was asked for fell on'),
    path: z
      .array(
        z.object({
          placementId: z.string().describe('The placement, by its id in the catalog'),
          target: z.enum(targets).describe('What its draw fell on'),
          weight: z
            .number()
            .nullable()
            .describe('Weight of that target, as guard and person left it; null: nothing was drawn'),
        }),
      )
      .describe('From the placement that was asked for to the one that served'),
    modelVersion: z
      .string()
      .nullable()
      .describe(
        "The policy: the engine's version and, behind a colon, the SHA-256 of the model's snapshot; null: no policy chose",
      ),
    candidates: z
      .array(
        z.object({
          paywall: z.string().describe('The paywall, by its id in the catalog'),
          paywallId: z.int().describe('The integer that the REST API knows it by'),
          externalId: z.string().describe('The name by which the app knows it'),
          score: z.number().describe('Its score under the policy'),
          probability: z.number().describe('Its chance under the policy'),
        }),
      )
      .describe('What the policy weighed; empty where none chose'),
    probability: z.number().nullable().describe('Of the chosen candidate under the policy; null: no policy chose'),
    seed: z.string().describe('What all draws of the decision follow from'),
    context: SelectionContext.describe('What was known of the user'),
    latencyMs: z.int().min(0).describe('From the request until the decision, in milliseconds'),
    stickyUntil: z
      .int()
      .nullable()
      .describe('How long the profile keeps this decision, in milliseconds since the epoch; null: it does not'),
    stickyTo: z.uuid().nullable().describe('The earlier decision that this one repeats; null: it was drawn'),
    fallback: z.string().nullable().describe('Why the gateway answered by itself; null: selection did'),
    weighing: Weighing.optional().describe(
      'How AI and Baseline would have shown each candidate; absent where neither was drawn',
    ),
    aiShares: z
      .record(z.string(), z.number())
      .optional()
      .describe('By model whose guard, or a person, held AI back: what was left of its weight'),
  }),
);
export type PaywallServed = EventOf<typeof PaywallServed>;
