/** $1 app, $2 SHA-256, $3 model, $4 learned until, $5 now, $6 gzipped bytes. */
export const insertSnapshot = `
  insert into model_snapshot (app_id, sha256, model, learned_until, published_at, bytes)
  values ($1, $2, $3, $4, $5, $6)
  on conflict (app_id, sha256) do update set published_at = excluded.published_at`;

/** $1 app, $2 model, $3 SHA-256 of its newest snapshot, $4 learned until, $5 report as JSON. */
export const upsertReport = `
  insert into model_report (app_id, model, sha256, learned_until, report)
  values ($1, $2, $3, $4, $5)
  on conflict (app_id, model) do update
  set sha256 = excluded.sha256, learned_until = excluded.learned_until, report = excluded.report`;

/** $1 since when snapshots are kept. One is served until the model's next is published: of a frozen model, for months. */
export const deleteOldSnapshots = `
  delete from model_snapshot served
  where published_at < $1 and exists (
    select from model_snapshot next
    where next.app_id = served.app_id and next.model = served.model
      and next.published_at > served.published_at and next.published_at < $1
  )`;
