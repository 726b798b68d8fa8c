import { Injectable } from '@nestjs/common';
import { EraseProfile } from '@paywright/contracts';
import type { App } from '../../catalog/apps.ts';
import { ProfileWrites } from '../../commands/profile-writes.ts';
import { IdempotencyStore } from '../../idempotency/idempotency-store.ts';
import { profileNotFound, requireOurId } from '../../profiles/profile-ids.ts';
import { errorEnvelope } from '../../http/error-answer.ts';
import type { Author } from '../access/admin-caller.ts';

/** Forgets people. Each step may be done again, so a request that was cut off is repeated as it was. */
@Injectable()
export class ProfileErasure {
  constructor(
    private readonly writes: ProfileWrites,
    private readonly answers: IdempotencyStore,
  ) {}

  /**
   * Erases the profile, also one that is erased already; resolves when no gateway shows it any more, and no answer that is kept
   * for repeated requests.
   * @returns when it was erased, in milliseconds since the epoch
   * @throws ApiError PROFILE_NOT_FOUND; SERVICE_UNAVAILABLE (safe to repeat)
   */
  async erase(app: App, profileId: string, { actor, ...request }: Author): Promise<number> {
    const id = requireOurId(profileId.toLowerCase());
    const caller = { app, ...request };
    const { erasedAt } = await this.writes.send(EraseProfile, { caller, profileId: id, body: { actor } });
    const gone = profileNotFound();
    await this.answers.forget(id, { status: gone.status, body: JSON.stringify(errorEnvelope(gone)) });
    return erasedAt;
  }
}
