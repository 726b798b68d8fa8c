import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { EraseProfile, ForgetBuyer } from '@paywright/contracts';
import { CommandClient } from '@paywright/messaging';
import type { App } from '../../catalog/apps.ts';
import { accepted } from '../../commands/accepted.ts';
import { commandFrom } from '../../commands/command-from.ts';
import { ProfileWrites } from '../../commands/profile-writes.ts';
import { writeDeadlineMs } from '../write-deadline.ts';
import { answerOfErased } from '../../idempotency/answer-of-erased.ts';
import { IdempotencyStore } from '../../idempotency/idempotency-store.ts';
import { requireOurId } from '../../profiles/profile-ids.ts';
import { UnshownProfiles } from '../../profiles/unshown-profiles.ts';
import type { Caller } from '../../http/caller.ts';
import type { Author } from '../access/admin-caller.ts';

/** Forgets people. Each step may be done again, so a request that was cut off is repeated as it was. */
@Injectable()
export class ProfileErasure {
  constructor(
    private readonly writes: ProfileWrites,
    private readonly commands: CommandClient,
    private readonly answers: IdempotencyStore,
    private readonly unshown: UnshownProfiles,
  ) {}

  /**
   * Erases the profile, also one that is erased already; resolves when no gateway shows it any more, no account at a
   * store leads to it, its purchases are about to be nobody's, and no answer that is kept for repeated requests shows it.
   * @returns when it was erased, in milliseconds since the epoch
   * @throws ApiError PROFILE_NOT_FOUND; SERVICE_UNAVAILABLE (safe to repeat)
   */
  async erase(app: App, profileId: string, { actor, ...request }: Author): Promise<number> {
    const id = requireOurId(profileId.toLowerCase());
    const caller = { app, ...request };
    const { erasedAt } = await this.writes.send(EraseProfile, { caller, profileId: id, body: { actor } });
    await this.#forgetBuyer(caller, id, erasedAt);
    await Promise.all([this.unshown.forget(id), this.answers.forget(id, answerOfErased())]);
    return erasedAt;
  }

  /** A command of its own: the reply to the other must not be taken for its. */
  async #forgetBuyer(caller: Caller, profileId: string, erasedAt: number): Promise<void> {
    const own = { ...caller, commandId: randomUUID() };
    const asked = { appId: caller.app.id, key: profileId, body: { erasedAt }, deadlineMs: writeDeadlineMs };
    accepted(await this.commands.send(ForgetBuyer, commandFrom<typeof ForgetBuyer>(own, asked)));
  }
}
