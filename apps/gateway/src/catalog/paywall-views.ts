import type { AppSnapshot } from '@paywright/contracts';
import { paywallProductsOf } from './paywall-products.ts';
import { sourceProductsOf, type Store } from './source-products.ts';

type Paywall = AppSnapshot['document']['paywalls'][number];

/** What differs from one answer to the next. */
export interface ServedFields {
  readonly isExperiment: boolean;
  readonly aiPricingModelId: number | null;
  readonly paywallSessionId: string;
}

/** The answers of both generations, as JSON texts: all but the served fields is written once a revision. */
export interface PaywallViews {
  /** @param store null lists every store's products */
  v1(store: Store | null, placementId: string, served: ServedFields): string;
  v2(served: ServedFields): string;
}

/** @param id the REST API's integer of the paywall */
export function paywallViewsOf(paywall: Paywall, id: number, snapshot: AppSnapshot): PaywallViews {
  const { externalId, name, remoteConfigs } = paywall;
  const revision = snapshot.paywallRevisions[paywall.id] ?? 1;
  const v1 = { id, externalId, name, remoteConfigs, revision };
  const ofStore = (store: Store | null) =>
    openJson({ ...v1, sourceProducts: sourceProductsOf(paywall, snapshot, store) });
  const heads = {
    all: lazily(() => ofStore(null)),
    app_store: lazily(() => ofStore('app_store')),
    play_store: lazily(() => ofStore('play_store')),
    stripe: lazily(() => ofStore('stripe')),
  };
  const v2 = lazily(() => openJson({ id, externalId, name, paywallProducts: paywallProductsOf(paywall, snapshot) }));
  return {
    v1: (store, placementId, served) => answer(heads[store ?? 'all'](), { placementId, ...served }),
    v2: (served) => answer(v2(), served),
  };
}

/** `{"a":1}` without its end, so that more fields can follow. */
const openJson = (fields: object) => JSON.stringify(fields).slice(0, -1);

const answer = (head: string, rest: object) => `{"ok":true,"data":${head},${JSON.stringify(rest).slice(1)}}`;

/** Computed when it is first asked for: most paywalls are served in one generation, to one store. */
function lazily(compute: () => string): () => string {
  let value: string | null = null;
  return () => (value ??= compute());
}
