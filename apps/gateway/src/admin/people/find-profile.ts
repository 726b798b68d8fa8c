import type { ProfileQueries, ProfileRow } from '@paywright/read-model';
import { ApiError } from '../../http/api-error.ts';

/**
 * The profile that a path names.
 * @throws ApiError PROFILE_NOT_FOUND
 */
export async function findProfile(profiles: ProfileQueries, appId: number, profileId: string): Promise<ProfileRow> {
  const profile = await profiles.find(appId, profileId);
  if (profile === null) throw new ApiError('PROFILE_NOT_FOUND', 'profileId names no profile of this app.');
  return profile;
}
