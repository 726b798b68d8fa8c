import type { CatalogDocument, PaywallServed } from '@paywright/contracts';
import { exampleCatalog } from '@paywright/contracts/testing';
import type { DecisionRow, ProfileRow } from '@paywright/read-model';
import { decide, toEngineCatalog, uniformPolicy } from '@paywright/selection-engine';
import {} from './admin-gateway.ts';
import { startedAt } from './surroundings.ts';

export const profileId = '0190a5b0-0000-7000-8000-000000000001';
export const revision = 1;
export const ids = {
  paywalls: { calm: 1, bold: 2 },
  models: { main: 1 },
  products: { 'premium-monthly': 1 },
  paywallProducts: { 'calm/0': 1, 'bold/0': 2 },
};

export const context: PaywallServed['body']['context'] = {
  country: 'DE',
  storeCountry: null,
  locale: 'de',
  currency: null,
  device: 'Pixel 9',
  os: 'Android 16',
  osVersion: null,
  platform: 'android',
  appVersion: '1.0',
  appBuild: null,
  timezone: null,
  attributionSource: null,
  store: null,
  profileCreatedAt: startedAt,
  custom: { goal: 'sleep' },
};

export const profile: ProfileRow = {
  profileId,
  appId: 1,
  version: 1,
  fields: { country: 'DE', platform: 'android' },
  custom: [],
  personal: { customerUserId: 'user-1' },
  createdAt: startedAt,
  updatedAt: startedAt,
};

/** A decision as selection records it, decided by the engine itself over the example catalog. */
export function decisionRow(
  decisionId: string,
  changes: Partial<PaywallServed['body']> = {},
  document: CatalogDocument = exampleCatalog,
): DecisionRow {
  const catalog = toEngineCatalog(revision, document, ids);
  const request = { placementId: 'onboarding', seed: decisionId, baselineOnly: false, facts: context, at: startedAt };
  const decided = decide(request, catalog, () => uniformPolicy);
  if (decided.kind !== 'served') throw new Error('nothing was served');
  const { paywall, path, model, isExperiment, candidates, probability, modelVersion } = decided;
  const decision: PaywallServed['body'] = {
    ...paywall,
    decisionId,
    placementId: 'onboarding',
    catalogRevision: revision,
    isExperiment,
    aiPricingModelId: model?.modelId ?? null,
    abTestId: model?.abTestId ?? null,
    appId: 1,
    profileId,
    target: path[0].target,
    path: [...path],
    modelVersion,
    candidates: [...candidates],
    probability,
    seed: decisionId,
    context,
    latencyMs: 4,
    stickyUntil: null,
    stickyTo: null,
    fallback: null,
    ...changes,
  };
  return { time: startedAt, decision, superseded: false };
}

/** The example with this traffic alone in its model. */
export const withTraffic = (...traffic: CatalogDocument['models'][number]['traffic']): CatalogDocument => ({
  ...exampleCatalog,
  models: exampleCatalog.models.map((model) => ({ ...model, traffic })),
});
