import { refuse } from '@paywright/contracts';

/** Also for a profile of another app: as if it did not exist. */
export const profileNotFound = refuse(
  'PROFILE_NOT_FOUND',
  'profileId (v1: or customerUserId) names no profile of this app.',
);
