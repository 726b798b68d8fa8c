/** $1 app, $2 SHA-256, $3 model, $4 learned until, $5 now, $6 gzipped bytes. */
export const insertSnapshot = `
  insert into model_snapshot (app_id, sha256, model, learned_until, published_at, bytes)
  values ($1, $2, $3, $4, $5, $6)
  on conflict (app_id, sha256) do update set published_at = excluded.published_at`;

/**
 * $1 app, $2 model, $3 SHA-256 of its newest snapshot, $4 learned until, $5 report as JSON. A learner that was frozen
 * may tell of an older one behind what took its place.
 */
export const upsertReport = `
  insert into model_report (app_id, model, sha256, learned_until, report)
  values ($1, $2, $3, $4, $5)
  on conflict (app_id, model) do update
  set sha256 = excluded.sha256, learned_until = excluded.learned_until, report = excluded.report
  where model_report.learned_until <= excluded.learned_until`;

/** Until when models have learned. $1 apps, $2 models. */
export const selectLearnedUntil = `
  select app_id, model, learned_until from model_report
  where (app_id, model) in (select * from unnest($1::int[], $2::text[]))`;

/** $1 app, $2 model. */
export const selectNewest = `
  select sha256, newest.learned_until, bytes
  from model_report newest join model_snapshot using (app_id, model, sha256)
  where app_id = $1 and model = $2`;

/** $1 since when snapshots are kept. One is served until the model's next is published: of a frozen model, for months. */
export const deleteOldSnapshots = `
  delete from model_snapshot served
  where published_at < $1 and exists (
    select from model_snapshot next
    where next.app_id = served.app_id and next.model = served.model
      and next.published_at > served.published_at and next.published_at < $1
  )`;
