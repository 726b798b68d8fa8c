import { createHash, timingSafeEqual } from 'node:crypto';
import type { AppSnapshot } from '@paywright/contracts';
import { NewestByApp } from '@paywright/messaging';
import { compileCatalog, type CompiledCatalog } from './compiled-catalog.ts';

/** Selection answers from the newest revision, or one that it just had: a few are enough. */
const keptRevisions = 8;

/** An app as the newest snapshot has it, with its last catalogs compiled for serving. */
export interface App {
  readonly id: number;
  readonly snapshot: AppSnapshot;
  readonly catalog: CompiledCatalog;
  /** One of the last few catalogs. */
  catalogAt(revision: number): CompiledCatalog | undefined;
}

/** Whom a key opens the REST API to. */
export interface KeyHolder {
  readonly app: App;
  /** App and number of the key; no secret. */
  readonly keyName: string;
}

/** Every app in memory, as `catalog.snapshots` tells it. */
export class Apps {
  readonly #apps = new NewestByApp<HeldApp>(appOf);
  readonly #bySecretHash = new Map<
    string,
    { readonly hash: Buffer; readonly keyName: string; readonly appId: number }
  >();

  /** Takes a snapshot in; one that is not newer than what is known changes nothing. */
  apply(snapshot: AppSnapshot): void {
    const known = this.#apps.find(snapshot.appId);
    if (this.#apps.apply(snapshot)) this.#indexKeys(snapshot, known);
  }

  /** The app that a secret key opens, unless the key is revoked. */
  bySecretKey(key: string): KeyHolder | undefined {
    const hash = createHash('sha256').update(key).digest();
    const held = this.#bySecretHash.get(hash.toString('hex'));
    if (held === undefined || !timingSafeEqual(held.hash, hash)) return undefined;
    const app = this.#apps.find(held.appId);
    return app && { app, keyName: held.keyName };
  }

  find(appId: number): App | undefined {
    return this.#apps.find(appId);
  }

  /** Every app, by id. */
  all(): readonly App[] {
    return this.#apps
      .all()
      .map(([, app]) => app)
      .sort((a, b) => a.id - b.id);
  }

  /** True once the app's snapshot has this version of its stream; false if not within the time. */
  reached(appId: number, version: number, timeoutMs: number): Promise<boolean> {
    return this.#apps.reached(appId, ({ snapshot }) => snapshot.version >= version, timeoutMs);
  }

  /** True once the app's catalog has this revision, or a newer one; false if not within the time. */
  reachedRevision(appId: number, revision: number, timeoutMs: number): Promise<boolean> {
    return this.#apps.reached(appId, ({ snapshot }) => snapshot.revision >= revision, timeoutMs);
  }

  #indexKeys({ appId, keys }: AppSnapshot, known: App | undefined): void {
    for (const { sha256 } of known?.snapshot.keys ?? []) this.#bySecretHash.delete(sha256);
    for (const { sha256, kind, revokedAt, keyId } of keys) {
      if (kind !== 'secret' || revokedAt !== null) continue;
      this.#bySecretHash.set(sha256, { hash: Buffer.from(sha256, 'hex'), keyName: `${appId}/${keyId}`, appId });
    }
  }
}

/** A snapshot of keys alone keeps the catalogs that are compiled already. */
function appOf(snapshot: AppSnapshot, known: HeldApp | undefined): HeldApp {
  const held = known?.catalogs ?? [];
  if (known?.catalog.revision === snapshot.revision) return new HeldApp(snapshot, known.catalog, held);
  const catalog = compileCatalog(snapshot);
  return new HeldApp(snapshot, catalog, [catalog, ...held].slice(0, keptRevisions));
}

class HeldApp implements App {
  constructor(
    readonly snapshot: AppSnapshot,
    readonly catalog: CompiledCatalog,
    /** Newest first. */
    readonly catalogs: readonly CompiledCatalog[],
  ) {}

  get id(): number {
    return this.snapshot.appId;
  }

  catalogAt(revision: number): CompiledCatalog | undefined {
    return this.catalogs.find((catalog) => catalog.revision === revision);
  }
}
