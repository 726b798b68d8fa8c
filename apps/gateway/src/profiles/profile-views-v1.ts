import { Injectable } from '@nestjs/common';
import { Clock } from '@paywright/platform';
import { purchaseViewOf, soldProducts } from '@paywright/purchases';
import { PurchaseQueries, type Page, type ProfileRow } from '@paywright/read-model';
import type { App } from '../catalog/apps.ts';
import { profileViewV1, type ProfileViewV1 } from './profile-view-v1.ts';

/** Profiles of an app as v1 shows them at this moment, with what they bought. */
@Injectable()
export class ProfileViewsV1 {
  constructor(
    private readonly purchases: PurchaseQueries,
    private readonly clock: Clock,
  ) {}

  async show(app: App, profile: ProfileRow): Promise<ProfileViewV1> {
    const [view] = await this.#show(app, [profile]);
    return view!;
  }

  async showPage(app: App, { entries, nextCursor }: Page<ProfileRow>): Promise<Page<ProfileViewV1>> {
    return { entries: await this.#show(app, entries), nextCursor };
  }

  async #show(app: App, profiles: readonly ProfileRow[]): Promise<ProfileViewV1[]> {
    const chains = await this.purchases.chainsOf(profiles.map(({ profileId }) => profileId));
    const products = soldProducts(app.snapshot);
    const now = this.clock.now();
    return profiles.map((profile) => {
      const { profileId } = profile;
      return profileViewV1(profile, purchaseViewOf(profileId, chains.get(profileId) ?? [], products, now));
    });
  }
}
