import { withAiShares, type AiShares, type AppSnapshot } from '@paywright/contracts';
import {
  toEngineCatalog,
  type CatalogNumbers,
  type CatalogSource,
  type EngineCatalog,
} from '@paywright/selection-engine';

interface Held {
  /** Of the app's stream. */
  readonly version: number;
  readonly revision: number;
  readonly source: CatalogSource;
  readonly ids: CatalogNumbers;
  /** As it is served. */
  readonly catalog: EngineCatalog;
}

/** Every app's newest catalog in memory, as `catalog.snapshots` tells it, with the traffic that guards leave to AI. */
export class AppCatalogs {
  readonly #apps = new Map<number, Held>();
  readonly #waiting = new Set<() => void>();
  readonly #aiSharesOf: (appId: number) => AiShares | null;

  constructor(aiSharesOf: (appId: number) => AiShares | null = () => null) {
    this.#aiSharesOf = aiSharesOf;
  }

  /**
   * Takes a snapshot in; one that is not newer than what is known changes nothing.
   * @throws RangeError if a name in its document names nothing; the app then keeps the catalog it had
   */
  apply({ appId, version, revision, document, ids }: AppSnapshot): void {
    const known = this.#apps.get(appId);
    if (known !== undefined && known.version >= version) return;
    // Keys come and go without a new revision.
    if (known?.revision === revision) this.#apps.set(appId, { ...known, version });
    else this.#hold(appId, { version, revision, source: sourceOf(document), ids });
    for (const look of [...this.#waiting]) look();
  }

  /** To be called when guards leave AI another share of the app's traffic. */
  reshare(appId: number): void {
    const held = this.#apps.get(appId);
    if (held !== undefined) this.#hold(appId, held);
  }

  find(appId: number): EngineCatalog | undefined {
    return this.#apps.get(appId)?.catalog;
  }

  /** Whether one of the app's placements leads to the model. */
  usesModel(appId: number, model: string): boolean {
    const placements = this.find(appId)?.placements.values() ?? [];
    return [...placements].some((placement) => placement.model?.id === model);
  }

  /** True once the app's catalog has this revision, or a newer one; false if not within the time. */
  async reached(appId: number, revision: number, timeoutMs: number): Promise<boolean> {
    const isHere = () => (this.find(appId)?.revision ?? -1) >= revision;
    if (isHere()) return true;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const look = () => isHere() && resolve(true);
    const timer = setTimeout(() => resolve(false), timeoutMs);
    this.#waiting.add(look);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      this.#waiting.delete(look);
    }
  }

  #hold(appId: number, held: Omit<Held, 'catalog'>): void {
    const { revision, source, ids } = held;
    const catalog = toEngineCatalog(revision, withAiShares(source, this.#aiSharesOf(appId) ?? {}), ids);
    this.#apps.set(appId, { ...held, catalog });
  }
}

/** What decisions need of a document: not what the paywalls look like. */
const sourceOf = ({ paywalls, models, placements }: AppSnapshot['document']): CatalogSource => ({
  paywalls: paywalls.map(({ id, externalId }) => ({ id, externalId })),
  models,
  placements,
});
