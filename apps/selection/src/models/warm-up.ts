import type { ContextFacts, EngineCatalog, Policy } from '@paywright/selection-engine';

const nobody: ContextFacts = {
  country: null,
  storeCountry: null,
  locale: null,
  currency: null,
  device: null,
  os: null,
  osVersion: null,
  platform: null,
  appVersion: null,
  appBuild: null,
  timezone: null,
  attributionSource: null,
  store: null,
  profileCreatedAt: 0,
  custom: {},
};

/** Lets a policy index a model's candidates before a request needs it: it does so the first time that it meets them. */
export function warmUp(policy: Policy, model: string, catalog: EngineCatalog | undefined): void {
  for (const placement of catalog?.placements.values() ?? []) {
    if (placement.model?.id !== model) continue;
    policy.choose({ facts: nobody, at: 0, placementId: placement.id }, placement.model.candidates);
    return;
  }
}
