import { z } from 'zod';
import { defineCommand, type CommandOf } from '../message.ts';
import { SelectionContext } from './selection-context.ts';

export const targets = ['ai_model', 'baseline', 'placement'] as const;
export type Target = (typeof targets)[number];

/** What the gateway needs to answer: the paywall by its catalog revision, and what the token attests. */
export const ServedPaywall = z.object({
  decisionId: z.uuid().describe('The decision'),
  placementId: z.string().describe('The placement that was asked for, by its id in the catalog'),
  paywall: z.string().describe('The paywall that was chosen, by its id in the catalog'),
  paywallId: z.int().describe('The integer that the REST API knows the paywall by'),
  catalogRevision: z.int().describe('The revision of the catalog that it was chosen from'),
  isExperiment: z.boolean().describe('Whether the draw of the placement that was asked for fell on its AI model'),
  aiPricingModelId: z.int().nullable().describe('The model of that placement, by its integer; null: it has none'),
  abTestId: z.int().nullable().describe('The A/B test that the model names; null: none'),
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
