import { z } from 'zod';
import { defineCommand, type CommandOf } from '../message.ts';
import { SelectionContext } from './selection-context.ts';

export const targets = ['ai_model', 'baseline', 'placement'] as const;
export type Target = (typeof targets)[number];

/** What the gateway needs to answer: the paywall by its catalog revision, and what the token attests. */
export const ServedPaywall = z.object({
  decisionId: z.uuid(),
  placementId: z.string(),
  /** The catalog's id of the paywall, and the integer that the REST API knows it by. */
  paywall: z.string(),
  paywallId: z.int(),
  catalogRevision: z.int(),
  isExperiment: z.boolean(),
  aiPricingModelId: z.int().nullable(),
  abTestId: z.int().nullable(),
});
export type ServedPaywall = z.output<typeof ServedPaywall>;

/**
 * Chooses a paywall. The command's id is the decision's id and the seed of its draws; `catalogRevision` is
 * the oldest revision that may answer. `baselineOnly` is a request without a profile id. Kafka key: profile id.
 */
export const ServePaywall = defineCommand(
  'ServePaywall',
  1,
  z.object({
    placementId: z.string(),
    catalogRevision: z.int(),
    baselineOnly: z.boolean(),
    context: SelectionContext,
  }),
  ServedPaywall,
);
export type ServePaywall = CommandOf<typeof ServePaywall>;
