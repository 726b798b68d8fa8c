/** $1 apps, $2 models. */
export const selectModels = `
  select app_id, model, catalog_revision, touched_at from learning_model
  where (app_id, model) in (select * from unnest($1::int[], $2::text[]))`;

/** $1 apps, $2 models, $3 revisions, $4 time. In one order, so that two never wait for each other. */
export const touchModels = `
  insert into learning_model (app_id, model, catalog_revision, touched_at)
  select app_id, model, revision, $4 from unnest($1::int[], $2::text[], $3::int[]) as touched (app_id, model, revision)
  order by app_id, model
  on conflict (app_id, model) do update
  set catalog_revision = greatest(learning_model.catalog_revision, excluded.catalog_revision),
      touched_at = greatest(learning_model.touched_at, excluded.touched_at)`;

/** Moves the time of all models that something was learned of lately. $1 time of the tick, $2 since when. */
export const tickModels = `
  with due as (
    select app_id, model from learning_model
    where touched_at >= $2 and (ticked_at is null or ticked_at < $1)
    order by app_id, model
    for update
  )
  update learning_model set ticked_at = $1
  from due where learning_model.app_id = due.app_id and learning_model.model = due.model
  returning learning_model.app_id, learning_model.model, learning_model.catalog_revision`;

export const selectLastTick = `select max(ticked_at) as ticked_at from learning_model`;
