import { createSecretKey, type KeyObject } from 'node:crypto';
import { profileIdOf } from '@paywright/platform';
import { ApiError, validationFailed } from '../http/api-error.ts';
import { isOurId } from '../validation/text.ts';

/** How a request names its profile; null is as absent. */
export interface ProfileIdentity {
  readonly profileId?: string | null;
  readonly customerUserId?: string | null;
}

export const profileNotFound = (): ApiError =>
  new ApiError('PROFILE_NOT_FOUND', 'profileId (v1: or customerUserId) names no profile of this app.');

/** Profile ids, those that are made from a customer's own user ids included. */
export class ProfileIds {
  readonly #key: KeyObject;

  /** @param key derived from the master key for `profileIdPurpose` */
  constructor(key: Buffer) {
    this.#key = createSecretKey(key);
  }

  ofCustomer(appId: number, customerUserId: string): string {
    return profileIdOf(this.#key, appId, customerUserId);
  }

  /**
   * The id of the profile that a request means; whether there is one is not looked at.
   * @throws ApiError 400 if nothing is named, PROFILE_NOT_FOUND if `profileId` is no id of ours
   */
  resolve(appId: number, identity: ProfileIdentity): string {
    return requireOurId(this.named(appId, identity));
  }

  /**
   * As `resolve`, but any `profileId` passes, as it was sent.
   * @throws ApiError 400 if nothing is named
   */
  named(appId: number, { profileId, customerUserId }: ProfileIdentity): string {
    if (profileId != null) return profileId;
    if (customerUserId != null) return this.ofCustomer(appId, customerUserId);
    throw validationFailed('profileId or customerUserId must be given.');
  }
}

/** @throws ApiError PROFILE_NOT_FOUND */
export function requireOurId(profileId: string): string {
  if (!isOurId(profileId)) throw profileNotFound();
  return profileId;
}
