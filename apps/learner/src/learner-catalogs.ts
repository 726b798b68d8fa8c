import type { AppSnapshot, CatalogDocument, PaywallServed } from '@paywright/contracts';
import { NewestByApp } from '@paywright/messaging';
import { designTokens, type CatalogueRecord } from '@paywright/selection-engine';
import { type SoldProducts, soldProducts } from '@paywright/purchases';
import type { ModelName } from '@paywright/selection-models';

type Product = CatalogDocument['products'][number];
type Paywall = CatalogDocument['paywalls'][number];
type Model = CatalogDocument['models'][number];

interface App extends Pick<AppSnapshot, 'revision' | 'edition'> {
  readonly products: SoldProducts;
  readonly models: ReadonlyMap<string, Omit<CatalogueRecord, 'type' | 'at' | 'revision'>>;
  /** By placement. */
  readonly modelOfPlacement: ReadonlyMap<string, string>;
  /** By the REST API's integers. */
  readonly modelNames: ReadonlyMap<number, string>;
  readonly paywallNames: ReadonlyMap<number, string>;
}

/** What the learner has to know of every app's newest catalog, as `catalog.snapshots` tells it. */
export class LearnerCatalogs {
  readonly #apps = new NewestByApp<App>((snapshot, known) =>
    known?.revision === snapshot.revision && known.edition === snapshot.edition ? known : appOf(snapshot),
  );

  apply(snapshot: AppSnapshot): void {
    this.#apps.apply(snapshot);
  }

  revisionOf(appId: number): number {
    return this.#apps.find(appId)?.revision ?? 0;
  }

  /** Whether the app's newest catalog has no such model. One that has it again restores it. */
  isArchived({ appId, model }: ModelName): boolean {
    const app = this.#apps.find(appId);
    return app !== undefined && !app.models.has(model);
  }

  productsOf(appId: number): SoldProducts {
    return this.#apps.find(appId)?.products ?? { current: [], archived: [] };
  }

  /** What a model's log is to be told; null if the app has no such model now. */
  catalogueOf(appId: number, model: string, at: number): CatalogueRecord | null {
    const app = this.#apps.find(appId);
    const known = app?.models.get(model);
    return app === undefined || known === undefined
      ? null
      : { type: 'catalogue', at, revision: app.revision, ...known };
  }

  /**
   * The model that learns from a decision: the one that weighed it, else that of the placement that served, or of the
   * one that led there, and so on back to the requested one. Null if none of them has one.
   */
  modelOf({ appId, weighing, path }: PaywallServed['body']): string | null {
    if (weighing !== undefined) return weighing.model;
    const app = this.#apps.find(appId);
    const places = path.map(({ placementId }) => app?.modelOfPlacement.get(placementId) ?? null);
    return places.findLast((model) => model !== null) ?? null;
  }

  modelName(appId: number, modelId: number | null): string | null {
    return this.#apps.find(appId)?.modelNames.get(modelId ?? NaN) ?? null;
  }

  paywallName(appId: number, paywallId: number | null): string | null {
    return this.#apps.find(appId)?.paywallNames.get(paywallId ?? NaN) ?? null;
  }
}

function appOf(snapshot: AppSnapshot): App {
  const { revision, edition, document, ids } = snapshot;
  return {
    ...{ revision, edition },
    products: soldProducts(snapshot),
    models: new Map(document.models.map((model) => [model.id, taught(model, document)])),
    modelOfPlacement: new Map(document.placements.flatMap(({ id, model }) => (model === null ? [] : [[id, model]]))),
    modelNames: namesByInteger(ids.models),
    paywallNames: namesByInteger(ids.paywalls),
  };
}

const namesByInteger = (ids: Readonly<Record<string, number>>): ReadonlyMap<number, string> =>
  new Map(Object.entries(ids).map(([name, id]) => [id, name]));

function taught({ candidates, horizonDays }: Model, { paywalls, products }: CatalogDocument) {
  const known = new Map(products.map((product) => [product.id, product]));
  const designs = new Map(paywalls.map((paywall) => [paywall.id, designOf(paywall, known)]));
  return { horizonDays, arms: candidates.map((paywall) => ({ paywall, design: designs.get(paywall) ?? [] })) };
}

function designOf({ products }: Paywall, known: ReadonlyMap<string, Product>): readonly string[] {
  return designTokens(
    products.map(({ product, appStore }) => {
      const sold = known.get(product);
      const offerType = appStore?.offerType ?? null;
      const hasTrial = (sold?.stripe?.trialPeriodDays ?? 0) > 0 || /trial/i.test(offerType ?? '');
      return { period: sold?.period ?? '', hasTrial, offerType };
    }),
  );
}
