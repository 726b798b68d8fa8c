/** $1 partitions. */
export const selectCheckpoints = `
  select app_id, model, partition, next_offset, state, sha256 from checkpoint where partition = any($1::int[])`;

/** $1 app, $2 model, $3 partition, $4 offset, $5 state, $6 its SHA-256. */
export const upsertCheckpoint = `
  insert into checkpoint (app_id, model, partition, next_offset, state, sha256)
  values ($1, $2, $3, $4, $5, $6)
  on conflict (app_id, model) do update
  set partition = excluded.partition, next_offset = excluded.next_offset,
      state = excluded.state, sha256 = excluded.sha256`;

/** $1 partitions whose logs are learned again. */
export const forgetCheckpoints = `delete from checkpoint where partition = any($1::int[])`;
