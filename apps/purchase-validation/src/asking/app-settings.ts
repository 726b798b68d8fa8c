import type { AppSnapshot } from '@paywright/contracts';

export type AppSettings = AppSnapshot['document']['app'];

/** What the catalogs say of each app itself, as `catalog.snapshots` tells it. */
export class AppSettingsBook {
  readonly #apps = new Map<number, { readonly version: number; readonly settings: AppSettings }>();

  /** Takes a snapshot in; one that is not newer than what is known changes nothing. */
  apply({ appId, version, document }: AppSnapshot): void {
    if ((this.#apps.get(appId)?.version ?? 0) >= version) return;
    this.#apps.set(appId, { version, settings: document.app });
  }

  find(appId: number): AppSettings | undefined {
    return this.#apps.get(appId)?.settings;
  }

  appIds(): readonly number[] {
    return [...this.#apps.keys()];
  }
}
