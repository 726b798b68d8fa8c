import { behindProfiles } from '../look-up-subject.ts';

/** What has no rate stays until it has one: an answer tells of the newest transactions alone. */
const unvaluedWith = (told: string) => `(
  select jsonb_agg(distinct one)
  from jsonb_array_elements(coalesce(look_up.unvalued, '[]') || coalesce(${told}, '[]')) as each (one)
)`;
const unvaluedOfBoth = unvaluedWith('excluded.unvalued');

/**
 * Of each chain one row: $1 app ids, $2 chain ids, $3 stores, $4 sealed subjects, $5 when to look (ms or null),
 * $6 currencies and days without a rate (JSON or null). All write in one order, or two instances wait for each other.
 */
export const upsertLookUps = `
  insert into look_up (app_id, chain_id, store, sealed, look_at, attempts, unvalued)
  select app_id, chain_id, store, sealed, to_timestamp(look_at / 1000), 0, unvalued::jsonb
  from unnest($1::int[], $2::uuid[], $3::text[], $4::text[], $5::float8[], $6::text[])
    as t (app_id, chain_id, store, sealed, look_at, unvalued)
  order by app_id, chain_id
  on conflict (app_id, chain_id) do update
  set sealed = excluded.sealed, look_at = excluded.look_at, attempts = 0, unvalued = ${unvaluedOfBoth}`;

/** $1 app id, $2 chain id, $3 store, $4 sealed subject, where there is none, $5 currencies and days without a rate (JSON). */
export const upsertUnvalued = `
  insert into look_up (app_id, chain_id, store, sealed, unvalued) values ($1, $2, $3, $4, $5::jsonb)
  on conflict (app_id, chain_id) do update set unvalued = ${unvaluedOfBoth}`;

/** $1 app id, $2 chain id, $3 store, $4 sealed subject, $5 when to look (ms or null), $6 the profile that it awaits. What is there stays. */
export const insertLookUp = `
  insert into look_up (app_id, chain_id, store, sealed, look_at, awaits)
  values ($1, $2, $3, $4, to_timestamp($5::float8 / 1000), $6) on conflict do nothing`;

/** The same; of two times the sooner one counts. */
export const insertSoonerLookUp = `
  insert into look_up (app_id, chain_id, store, sealed, look_at)
  values ($1, $2, $3, $4, to_timestamp($5::float8 / 1000))
  on conflict (app_id, chain_id) do update set look_at = least(look_up.look_at, excluded.look_at)`;

/** $1 behind which profile, $2 how many at most. Neither what was given up, nor what awaits no profile: see behindProfiles. */
export const selectAwaited = `
  select awaits::text as profile_id, min(app_id) as app_id from look_up
  where awaits > $1::uuid and awaits < '${behindProfiles}0000-0000-000000000000' and look_at is not null
  group by awaits order by awaits limit $2`;

/** $1 profiles, $2 now (ms). Not what a store was asked about in vain, nor what is claimed or due all the same. */
export const updateAwaiting = `
  update look_up set look_at = to_timestamp($2::float8 / 1000)
  where awaits = any($1::uuid[]) and attempts = 0 and look_at > to_timestamp($2::float8 / 1000) + interval '5 minutes'`;

/** $1 app id, $2 chain id, $3 when to look (ms or null), $4 the profile that it awaits. */
export const updateAwaits = `
  update look_up set look_at = to_timestamp($3::float8 / 1000), awaits = $4 where app_id = $1 and chain_id = $2`;

/** $1 app id, $2 chain id. */
export const deleteLookUp = `delete from look_up where app_id = $1 and chain_id = $2`;

/**
 * $1 app id, $2 chain id, $3 until when it was claimed (ms), $4 sealed subject, $5 when to look (ms or null), $6 currencies
 * and days without a rate (JSON or null). A row that was written since then stays as it is: no row is updated.
 */
export const updateClaimed = `
  update look_up
  set sealed = $4, look_at = to_timestamp($5::float8 / 1000), attempts = 0, unvalued = ${unvaluedWith('$6::jsonb')}
  where app_id = $1 and chain_id = $2 and look_at = to_timestamp($3::float8 / 1000)::timestamptz(3)`;

/**
 * $1 app id, $2 chain id, $3 until when it was claimed (ms): a row that was written since then stays as it is. What has
 * no rate is kept.
 */
export const endLookUp = `
  with ended as (
    delete from look_up
    where app_id = $1 and chain_id = $2 and look_at = to_timestamp($3::float8 / 1000)::timestamptz(3) and unvalued is null
  )
  update look_up set look_at = null
  where app_id = $1 and chain_id = $2 and look_at = to_timestamp($3::float8 / 1000)::timestamptz(3) and unvalued is not null`;

/** $1 app id, $2 chain id, $3 store, $4 sealed subject. @returns how often it was tried without an answer before */
export const upsertTry = `
  insert into look_up as known (app_id, chain_id, store, sealed, attempts)
  values ($1, $2, $3, $4, 1)
  on conflict (app_id, chain_id) do update set attempts = known.attempts + 1
  returning attempts - 1 as attempts`;

/** $1 app id, $2 chain id, $3 when to look (ms or null). */
export const updateLookAt = `
  update look_up set look_at = to_timestamp($3::float8 / 1000) where app_id = $1 and chain_id = $2`;

/**
 * $1 now, $2 until when nobody else takes them (ms both), $3 how many at most; of these: $4 app ids, the $5 store and
 * $6 how many of each at most. An app's backlog is not read through for the others, nor does it come before them: of
 * each the first comes before the second of any.
 */
export const claimDueLookUps = `
  update look_up set look_at = to_timestamp($2::float8 / 1000)
  where (app_id, chain_id) in (
    select app_id, chain_id from (
      select due.*, row_number() over (partition by due.app_id, room.store order by due.look_at) as place
      from unnest($4::int[], $5::text[], $6::int[]) as room (app_id, store, most),
      lateral (
        select app_id, chain_id, look_at from look_up
        where app_id = room.app_id and store = room.store and look_at <= to_timestamp($1::float8 / 1000)
        order by look_at
        limit room.most
        for update skip locked
      ) as due
    ) as placed
    order by place, look_at
    limit $3)
  returning app_id, chain_id::text, store, sealed`;

/** $1 app id and $2 chain id of the last one, $3 how many at most: in the order of look_up_unvalued_idx. */
export const selectUnvalued = `
  select app_id, chain_id::text, unvalued from look_up
  where unvalued is not null and (app_id, chain_id) > ($1, $2::uuid)
  order by look_up.app_id, look_up.chain_id
  limit $3`;

/** $1 app id, $2 chain id, $3 what has a rate by now. */
export const removeUnvalued = `
  update look_up set unvalued = (
    select jsonb_agg(one) from jsonb_array_elements(unvalued) as each (one)
    where one <> all (array(select jsonb_array_elements($3::jsonb)))
  )
  where app_id = $1 and chain_id = $2`;
