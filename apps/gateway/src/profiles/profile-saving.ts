import { Injectable } from '@nestjs/common';
import { presentFields, SaveProfile, type ReplyOf } from '@paywright/contracts';
import { Clock } from '@paywright/platform';
import { ProfileQueries, ReadModelProgress, type ProfileRow } from '@paywright/read-model';
import type { AcceptedReply } from '../commands/accepted.ts';
import { ProfileWrites } from '../commands/profile-writes.ts';
import type { Caller } from '../http/caller.ts';
import { missingProfile } from './missing-profile.ts';
import { ProfileIds } from './profile-ids.ts';
import { UnshownProfiles, type NewProfile } from './unshown-profiles.ts';

/** Creates profiles and changes those that exist, in both generations. */
@Injectable()
export class ProfileSaving {
  constructor(
    private readonly ids: ProfileIds,
    private readonly writes: ProfileWrites,
    private readonly profiles: ProfileQueries,
    private readonly unshown: UnshownProfiles,
    private readonly progress: ReadModelProgress,
    private readonly clock: Clock,
  ) {}

  /**
   * Saves the changes, and shows the profile as every gateway shows it from now on. Without a customer user
   * id the new profile's id is the command's: random, and the same when the request is repeated by its key.
   *
   * A new profile is known from its reply alone, so whoever opens an app for the first time gets on though the read model
   * stands still; so does whoever says the same of it again. Changes of one that exists wait for it.
   * @throws ApiError SERVICE_UNAVAILABLE if it was not done, or cannot be seen, in time; PROFILE_NOT_FOUND if it was
   * erased since it was saved, perhaps by an earlier attempt
   */
  async save(caller: Caller, body: SaveProfile['body']): Promise<{ profile: ProfileRow; created: boolean }> {
    const { app, commandId } = caller;
    const { customerUserId } = body.personal;
    const profileId = customerUserId == null ? commandId : this.ids.ofCustomer(app.id, customerUserId);
    let unshown: NewProfile | null = null;
    const { created } = await this.writes.send(SaveProfile, { caller, profileId, body }, async (reply) => {
      unshown = await this.#unshownOf(app.id, profileId, body, reply);
      return unshown !== null;
    });
    const profile = unshown === null ? await this.profiles.find(app.id, profileId) : asSaved(unshown, body);
    if (profile === null) throw missingProfile(this.progress);
    return { profile, created };
  }

  /** The profile that the read model does not show, if it is whole by the request and what is kept of it. */
  async #unshownOf(
    appId: number,
    profileId: string,
    body: SaveProfile['body'],
    reply: AcceptedReply<ReplyOf<typeof SaveProfile>>,
  ): Promise<NewProfile | null> {
    const created = newProfileOf(appId, profileId, body, reply);
    if (created !== null) await this.unshown.keep(created, this.clock.now());
    if (created !== null || reply.body.allPersonalGiven !== true) return created;
    const kept = await this.unshown.find(appId, profileId);
    return kept?.version === reply.streamVersion ? kept : null; // of that version, nothing has happened since
  }
}

/** The profile that a command created; null if it created none, or its service does not tell when. */
function newProfileOf(
  appId: number,
  profileId: string,
  { fields }: SaveProfile['body'],
  { streamVersion: version, body: { created, createdAt } }: AcceptedReply<ReplyOf<typeof SaveProfile>>,
): NewProfile | null {
  if (!created || createdAt === undefined) return null;
  return { appId, profileId, version, fields: presentFields(fields), createdAt };
}

const asSaved = (profile: NewProfile, { personal }: SaveProfile['body']): ProfileRow => ({
  ...profile,
  personal: presentFields(personal),
  custom: [],
  updatedAt: profile.createdAt,
});
