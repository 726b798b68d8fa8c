/** A paywall as decisions name it: its id in the catalog, the REST API's integer, the client's own name. */
export interface EnginePaywall {
  readonly paywall: string;
  readonly paywallId: number;
  readonly externalId: string;
}

export type TrafficShare =
  | { readonly target: 'ai_model'; readonly weight: number }
  | { readonly target: 'baseline'; readonly weight: number }
  | { readonly target: 'placement'; readonly placement: string; readonly weight: number };

export interface EngineModel {
  readonly id: string;
  readonly modelId: number;
  readonly abTestId: number | null;
  /** By rising integer, so that a draw does not depend on the order in the document. */
  readonly candidates: readonly EnginePaywall[];
  readonly traffic: readonly TrafficShare[];
}

export interface EnginePlacement {
  readonly id: string;
  readonly baseline: EnginePaywall;
  readonly model: EngineModel | null;
  /** ISO 8601 duration, or null. */
  readonly stickyFor: string | null;
}

/** One revision of an app's catalog, ready to decide by: its placements by id. */
export interface EngineCatalog {
  readonly revision: number;
  readonly placements: ReadonlyMap<string, EnginePlacement>;
}

/** The part of a catalog document that decisions need. */
export interface CatalogSource {
  readonly paywalls: readonly { readonly id: string; readonly externalId: string }[];
  readonly models: readonly {
    readonly id: string;
    readonly abTestId: number | null;
    readonly candidates: readonly string[];
    readonly traffic: readonly TrafficShare[];
  }[];
  readonly placements: readonly {
    readonly id: string;
    readonly baseline: string;
    readonly model: string | null;
    readonly stickyFor: string | null;
  }[];
}

/** The REST API's integers of a revision's objects, by catalog id. */
export interface CatalogNumbers {
  readonly paywalls: Readonly<Record<string, number>>;
  readonly models: Readonly<Record<string, number>>;
}

/**
 * A revision with every name resolved.
 * @throws RangeError if a name in the document names nothing, or an object has no integer
 */
export function toEngineCatalog(revision: number, document: CatalogSource, ids: CatalogNumbers): EngineCatalog {
  const paywallIds = new Map(Object.entries(ids.paywalls));
  const modelIds = new Map(Object.entries(ids.models));
  const paywalls = byId(document.paywalls, ({ id, externalId }): EnginePaywall => {
    return { paywall: id, paywallId: named(paywallIds.get(id), 'integer of paywall', id), externalId };
  });
  const paywall = (id: string) => named(paywalls.get(id), 'paywall', id);
  const models = byId(document.models, ({ id, abTestId, candidates, traffic }): EngineModel => {
    const rising = [...new Set(candidates)].map(paywall).sort((one, other) => one.paywallId - other.paywallId);
    return { id, modelId: named(modelIds.get(id), 'integer of model', id), abTestId, candidates: rising, traffic };
  });
  const placements = byId(document.placements, ({ id, baseline, model, stickyFor }): EnginePlacement => {
    return {
      id,
      baseline: paywall(baseline),
      model: model === null ? null : named(models.get(model), 'model', model),
      stickyFor,
    };
  });
  for (const { traffic } of models.values()) {
    for (const share of traffic) {
      if (share.target === 'placement') named(placements.get(share.placement), 'placement', share.placement);
    }
  }
  return { revision, placements };
}

const byId = <Source extends { readonly id: string }, Compiled>(
  sources: readonly Source[],
  compile: (source: Source) => Compiled,
): ReadonlyMap<string, Compiled> => new Map(sources.map((source) => [source.id, compile(source)]));

function named<T>(found: T | undefined, kind: string, id: string): T {
  if (found === undefined) throw new RangeError(`The catalog has no ${kind} ${id}.`);
  return found;
}
