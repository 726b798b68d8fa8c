/**
 * Begins a rebuild in place of the one before; the same one, begun again, stays as it is.
 * $1 app, $2 model, $3 partition, $4 night, $5 offset where it begins, $6 live state, $7 its SHA-256.
 */
export const beginRebuild = `
  insert into rebuild (app_id, model, partition, night, begin_offset, live, live_sha256)
  values ($1, $2, $3, $4, $5, $6, $7)
  on conflict (app_id, model) do update
  set partition = excluded.partition, night = excluded.night, begin_offset = excluded.begin_offset,
      live = excluded.live, live_sha256 = excluded.live_sha256, rebuilt = null, ended = null, tries = 0
  where (rebuild.night, rebuild.live_sha256) is distinct from (excluded.night, excluded.live_sha256)`;

/** $1 apps, $2 models, $3 nights. Without the states. */
export const selectBegun = `
  select rebuild.app_id, rebuild.model, rebuild.night, ended, tries
  from unnest($1::int[], $2::text[], $3::bigint[]) as awaited (app_id, model, night)
  join rebuild on (rebuild.app_id, rebuild.model, rebuild.night) = (awaited.app_id, awaited.model, awaited.night)
  order by rebuild.night, rebuild.app_id, rebuild.model`;

/** $1 app, $2 model, $3 night. Without the live state: whoever waits for the rebuilt one asks again and again. */
export const selectRebuild = `
  select partition, begin_offset, live_sha256, rebuilt, ended from rebuild
  where app_id = $1 and model = $2 and night = $3`;

/** $1 app, $2 model, $3 night, $4 SHA-256 of the live state. */
export const selectLive = `
  select live from rebuild
  where app_id = $1 and model = $2 and night = $3 and live_sha256 = $4`;

/** $1 app, $2 model, $3 night, $4 how many tries more. */
export const countTries = `
  update rebuild set tries = greatest(0, tries + $4)
  where app_id = $1 and model = $2 and night = $3`;

/** $1 app, $2 model, $3 night. */
export const forgetTries = `
  update rebuild set tries = 0
  where app_id = $1 and model = $2 and night = $3 and tries > 0`;

/** $1 app, $2 model, $3 night, $4 SHA-256 of the live state, $5 the rebuilt state, $6 what came of it. */
export const endRebuild = `
  update rebuild set rebuilt = $5, ended = $6
  where app_id = $1 and model = $2 and night = $3 and live_sha256 = $4`;
