import type { AppSnapshot } from '@paywright/contracts';
import { toEngineCatalog, type EngineCatalog } from '@paywright/selection-engine';

interface Held {
  /** Of the app's stream. */
  readonly version: number;
  readonly catalog: EngineCatalog;
}

/** Every app's newest catalog in memory, as `catalog.snapshots` tells it. */
export class AppCatalogs {
  readonly #apps = new Map<number, Held>();
  readonly #waiting = new Set<() => void>();

  /**
   * Takes a snapshot in; one that is not newer than what is known changes nothing.
   * @throws RangeError if a name in its document names nothing; the app then keeps the catalog it had
   */
  apply({ appId, version, revision, document, ids }: AppSnapshot): void {
    const known = this.#apps.get(appId);
    if (known !== undefined && known.version >= version) return;
    // Keys come and go without a new revision.
    const same = known?.catalog.revision === revision;
    this.#apps.set(appId, { version, catalog: same ? known.catalog : toEngineCatalog(revision, document, ids) });
    for (const look of [...this.#waiting]) look();
  }

  find(appId: number): EngineCatalog | undefined {
    return this.#apps.get(appId)?.catalog;
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
}
