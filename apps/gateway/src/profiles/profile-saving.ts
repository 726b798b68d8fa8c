import { Injectable } from '@nestjs/common';
import { SaveProfile } from '@paywright/contracts';
import { ProfileQueries, ReadModelProgress, type ProfileRow } from '@paywright/read-model';
import { ProfileWrites } from '../commands/profile-writes.ts';
import type { Caller } from '../http/caller.ts';
import { missingProfile } from './missing-profile.ts';
import { ProfileIds } from './profile-ids.ts';

/** Creates profiles and changes those that exist, in both generations. */
@Injectable()
export class ProfileSaving {
  constructor(
    private readonly ids: ProfileIds,
    private readonly writes: ProfileWrites,
    private readonly profiles: ProfileQueries,
    private readonly progress: ReadModelProgress,
  ) {}

  /**
   * Saves the changes, and shows the profile as every gateway shows it from now on. Without a customer user
   * id the new profile's id is the command's: random, and the same when the request is repeated by its key.
   * @throws ApiError SERVICE_UNAVAILABLE if it was not done, or cannot be seen, in time; PROFILE_NOT_FOUND if it was
   * erased since it was saved, perhaps by an earlier attempt
   */
  async save(caller: Caller, body: SaveProfile['body']): Promise<{ profile: ProfileRow; created: boolean }> {
    const { app, commandId } = caller;
    const { customerUserId } = body.personal;
    const profileId = customerUserId == null ? commandId : this.ids.ofCustomer(app.id, customerUserId);
    const { created } = await this.writes.send(SaveProfile, { caller, profileId, body });
    const profile = await this.profiles.find(app.id, profileId);
    if (profile === null) throw missingProfile(this.progress);
    return { profile, created };
  }
}
