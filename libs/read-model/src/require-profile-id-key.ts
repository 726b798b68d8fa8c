import { ConfigurationError, profileIdOf, type MasterKeys } from '@paywright/platform';
import type { Queryable } from './database.ts';
import { selectSomeCustomers, type SelectedCustomer } from './sql/select-profiles.sql.ts';

const enough = 100;

/**
 * Whether the key makes the profile ids that are there. Under another one, as where the secrets were lost and made anew,
 * every customer who comes back would be somebody new, and nothing could join the two afterwards. An id that it made is
 * enough: some may be of a time in which the key was wrong.
 * @param key derived from `profileIds` for `profileIdPurpose`
 * @throws ConfigurationError that names the variable of the key
 */
export async function requireProfileIdKey(
  database: Queryable,
  key: Buffer,
  { profileIdsAreOf }: Pick<MasterKeys, 'profileIdsAreOf'>,
): Promise<void> {
  const { rows } = await database.query<SelectedCustomer>(selectSomeCustomers, [enough]);
  const isMade = (row: SelectedCustomer) => profileIdOf(key, row.app_id, row.customer_user_id) === row.profile_id;
  if (rows.length === 0 || rows.some(isMade)) return;
  const problem =
    'is not the key that the profile ids in this database were made with: every customer would become a new profile. ' +
    'Bring that key back, as PROFILE_ID_KEY if the master key is another by now';
  throw new ConfigurationError([{ variable: profileIdsAreOf, problem }]);
}
