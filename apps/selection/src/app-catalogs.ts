import { withAiShares, type AiShares, type AppSnapshot } from '@paywright/contracts';
import { NewestByApp } from '@paywright/messaging';
import {
  toEngineCatalog,
  type CatalogNumbers,
  type CatalogSource,
  type EngineCatalog,
} from '@paywright/selection-engine';

interface Held {
  readonly revision: number;
  readonly source: CatalogSource;
  readonly ids: CatalogNumbers;
  /** As it is served; another one when guards leave AI another share. */
  catalog: EngineCatalog;
}

/** Every app's newest catalog in memory, as `catalog.snapshots` tells it, with the traffic that guards leave to AI. */
export class AppCatalogs {
  // Keys come and go without a new revision.
  readonly #apps = new NewestByApp<Held>((snapshot, known) =>
    known?.revision === snapshot.revision ? known : this.#held(snapshot),
  );
  readonly #aiSharesOf: (appId: number) => AiShares | null;

  constructor(aiSharesOf: (appId: number) => AiShares | null = () => null) {
    this.#aiSharesOf = aiSharesOf;
  }

  /**
   * Takes a snapshot in; one that is not newer than what is known changes nothing.
   * @throws RangeError if a name in its document names nothing; the app then keeps the catalog it had
   */
  apply(snapshot: AppSnapshot): void {
    this.#apps.apply(snapshot);
  }

  /** To be called when guards leave AI another share of the app's traffic. */
  reshare(appId: number): void {
    const held = this.#apps.find(appId);
    if (held !== undefined) held.catalog = this.#compiled(appId, held);
  }

  find(appId: number): EngineCatalog | undefined {
    return this.#apps.find(appId)?.catalog;
  }

  /** Whether one of the app's placements leads to the model. */
  usesModel(appId: number, model: string): boolean {
    const placements = this.find(appId)?.placements.values() ?? [];
    return [...placements].some((placement) => placement.model?.id === model);
  }

  /** True once the app's catalog has this revision, or a newer one; false if not within the time. */
  reached(appId: number, revision: number, timeoutMs: number): Promise<boolean> {
    return this.#apps.reached(appId, (held) => held.revision >= revision, timeoutMs);
  }

  #held({ appId, revision, document, ids }: AppSnapshot): Held {
    const served = { revision, source: sourceOf(document), ids };
    return { ...served, catalog: this.#compiled(appId, served) };
  }

  #compiled(appId: number, { revision, source, ids }: Omit<Held, 'catalog'>): EngineCatalog {
    return toEngineCatalog(revision, withAiShares(source, this.#aiSharesOf(appId) ?? {}), ids);
  }
}

/** What decisions need of a document: not what the paywalls look like. */
const sourceOf = ({ paywalls, models, placements }: AppSnapshot['document']): CatalogSource => ({
  paywalls: paywalls.map(({ id, externalId }) => ({ id, externalId })),
  models,
  placements,
});
