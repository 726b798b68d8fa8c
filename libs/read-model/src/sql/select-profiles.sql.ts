import type { CustomAttribute, PersonalFields, ProfileFields } from '@paywright/contracts';
import type { ImpersonalProfileRow, ProfileRow } from '../rows.ts';

const impersonal = `
  profile.profile_id, profile.app_id, profile.version, profile.fields, profile.custom, profile.created_at, profile.updated_at`;
const columns = `${impersonal}, profile_personal.fields as personal`;

/** There is a profile unless its erasure is the newest that is known of it. */
const exists = `profile.erased_version is distinct from profile.version`;
/** Personal fields are those of since the erasure, should a record of before still be there. */
const isSinceErasure = `profile_personal.version > coalesce(profile.erased_version, 0)`;

/** $1 profile ids. */
export const selectProfiles = `
  select ${columns} from profile
  left join profile_personal on profile_personal.profile_id = profile.profile_id and ${isSinceErasure}
  where profile.profile_id = any($1::uuid[]) and ${exists}`;

/** $1 profile ids. Where many people are rare guests, each table less is two pages less from the disk. */
export const selectImpersonalProfiles = `
  select ${impersonal} from profile where profile_id = any($1::uuid[]) and ${exists}`;

/** $1 profile id. */
export const selectProfileVersion = `select version from profile where profile_id = $1`;

/**
 * $1 app, $2 LIKE pattern, $3 profile id to go on behind or null, $4 limit. By customer user id, in the order of its bytes.
 * The id comes with a cursor, which a client can make up: one of another app is behind everything, as an unknown one.
 */
export const searchProfiles = `
  select ${columns} from profile_personal join profile using (profile_id)
  where profile_personal.app_id = $1 and profile.app_id = $1 and customer_user_id like $2 and ${exists} and ${isSinceErasure}
    and ($3::uuid is null or (customer_user_id, profile_id) >
      (select customer_user_id, profile_id from profile_personal where profile_id = $3 and app_id = $1))
  order by customer_user_id, profile_id
  limit $4`;

/**
 * $1 limit. Customers whose ids are made of their user ids, which are spread evenly: from this id on there are no others,
 * as those of a version 7 begin with the time, and are below it until the year 2527.
 */
export const selectSomeCustomers = `
  select profile_id, app_id, customer_user_id from profile_personal
  where profile_id >= '10000000-0000-0000-0000-000000000000' and customer_user_id is not null
  order by profile_id
  limit $1`;

export interface SelectedCustomer {
  profile_id: string;
  app_id: number;
  customer_user_id: string;
}

export interface SelectedImpersonalProfile {
  profile_id: string;
  app_id: number;
  version: number;
  fields: Partial<ProfileFields>;
  custom: CustomAttribute[];
  created_at: Date;
  updated_at: Date;
}

export interface SelectedProfile extends SelectedImpersonalProfile {
  personal: Partial<PersonalFields> | null;
}

export const toImpersonalProfileRow = (row: SelectedImpersonalProfile): ImpersonalProfileRow => ({
  profileId: row.profile_id,
  appId: row.app_id,
  version: row.version,
  fields: row.fields,
  custom: row.custom,
  createdAt: row.created_at.getTime(),
  updatedAt: row.updated_at.getTime(),
});

export const toProfileRow = (row: SelectedProfile): ProfileRow => ({
  ...toImpersonalProfileRow(row),
  personal: row.personal ?? {},
});
