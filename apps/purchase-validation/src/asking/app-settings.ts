import type { AppSnapshot } from '@paywright/contracts';
import { NewestByApp } from '@paywright/messaging';

export type AppSettings = AppSnapshot['document']['app'];

/** What the catalogs say of each app itself, as `catalog.snapshots` tells it. */
export class AppSettingsBook {
  readonly #apps = new NewestByApp<AppSettings>(({ document }) => document.app);

  /** Takes a snapshot in; one that is not newer than what is known changes nothing. */
  apply(snapshot: AppSnapshot): void {
    this.#apps.apply(snapshot);
  }

  find(appId: number): AppSettings | undefined {
    return this.#apps.find(appId);
  }

  appIds(): readonly number[] {
    return this.#apps.all().map(([appId]) => appId);
  }
}
