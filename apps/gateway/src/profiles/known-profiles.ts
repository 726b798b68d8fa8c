import { Injectable } from '@nestjs/common';
import { ProfileQueries, type ImpersonalProfileRow } from '@paywright/read-model';
import { isOurId } from '../validation/text.ts';
import { UnshownProfiles } from './unshown-profiles.ts';

/** Profiles as every request sees them: as the read model shows them, and new ones from their acknowledgement on. */
@Injectable()
export class KnownProfiles {
  constructor(
    private readonly profiles: ProfileQueries,
    private readonly unshown: UnshownProfiles,
  ) {}

  /** @param profileId any text: what is no id of ours names no profile */
  async find(appId: number, profileId: string): Promise<ImpersonalProfileRow | null> {
    const shown = await this.profiles.findImpersonal(appId, profileId);
    if (shown !== null || !isOurId(profileId)) return shown;
    const unshown = await this.unshown.find(appId, profileId);
    if (unshown === null) return null;
    const isKnown = (await this.profiles.versionOf(profileId)) >= unshown.version; // shown by now, or erased since
    return isKnown ? this.profiles.findImpersonal(appId, profileId) : unshown;
  }
}
