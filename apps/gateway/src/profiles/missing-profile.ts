import type { ReadModelProgress } from '@paywright/read-model';
import { serviceUnavailable, type ApiError } from '../http/api-error.ts';
import type { KnownProfiles } from './known-profiles.ts';
import { profileNotFound } from './profile-ids.ts';

/**
 * Why a request is refused whose profile the read model does not show. A client that was told of its profile must not
 * hear that there is none, only since a crash of the database took the row for some seconds.
 */
export const missingProfile = ({ mayLack }: Pick<ReadModelProgress, 'mayLack'>): ApiError =>
  mayLack ? serviceUnavailable() : profileNotFound();

/** Tells whether a profile that was there is erased; null of one that the read model may only lack. */
export const erasureIn =
  (profiles: Pick<KnownProfiles, 'find'>, progress: Pick<ReadModelProgress, 'mayLack'>) =>
  async (appId: number, profileId: string): Promise<boolean | null> => {
    if ((await profiles.find(appId, profileId)) !== null) return false;
    return progress.mayLack ? null : true;
  };
