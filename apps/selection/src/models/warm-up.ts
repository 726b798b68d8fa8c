import { type EngineCatalog, noFacts, type Policy } from '@paywright/selection-engine';

/** Lets a policy index a model's candidates before a request needs it: it does so the first time that it meets them. */
export function warmUp(policy: Policy, model: string, catalog: EngineCatalog | undefined): void {
  for (const placement of catalog?.placements.values() ?? []) {
    if (placement.model?.id !== model) continue;
    policy.choose({ facts: noFacts, at: 0, placementId: placement.id }, placement.model.candidates);
    return;
  }
}
