import type { AppSnapshot } from '@paywright/contracts';
import { paywallViewsOf, type PaywallViews } from './paywall-views.ts';

/** A paywall as it is served: its ids and its prepared answers. */
export interface CompiledPaywall {
  readonly id: string;
  /** The REST API's integer. */
  readonly paywallId: number;
  readonly externalId: string;
  readonly views: PaywallViews;
}

/** A placement with what the gateway needs to answer by itself: its model's ids and its Baseline paywall. */
export interface CompiledPlacement {
  readonly id: string;
  readonly aiPricingModelId: number | null;
  readonly abTestId: number | null;
  readonly baseline: CompiledPaywall;
}

/** One revision of an app's catalog, ready to be looked up at every request. */
export interface CompiledCatalog {
  readonly revision: number;
  readonly placements: ReadonlyMap<string, CompiledPlacement>;
  readonly paywalls: ReadonlyMap<string, CompiledPaywall>;
}

/** Compiles the catalog of a snapshot. What lacks its integer, its baseline or its product is not served. */
export function compileCatalog(snapshot: AppSnapshot): CompiledCatalog {
  const { document, ids, revision } = snapshot;
  const paywalls = new Map(
    document.paywalls.flatMap((paywall) => {
      const { id, externalId } = paywall;
      const paywallId = ids.paywalls[id];
      if (paywallId === undefined) return [];
      return [[id, { id, externalId, paywallId, views: paywallViewsOf(paywall, paywallId, snapshot) }] as const];
    }),
  );
  const models = new Map(document.models.map((model) => [model.id, model]));
  const placements = document.placements.flatMap(({ id, baseline: baselineId, model: modelId }) => {
    const baseline = paywalls.get(baselineId);
    if (baseline === undefined) return [];
    const aiPricingModelId = modelId === null ? null : (ids.models[modelId] ?? null);
    const abTestId = modelId === null ? null : (models.get(modelId)?.abTestId ?? null);
    return [[id, { id, baseline, aiPricingModelId, abTestId }] as const];
  });
  return { revision, paywalls, placements: new Map(placements) };
}
