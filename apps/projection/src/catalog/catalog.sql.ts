export const selectAppVersions = `select app_id::text as stream, version from app where app_id = any($1::int[])`;

/** $1 apps and $2 versions, one of each a place; $3 actions: the events that are audited there. */
export const selectAuditedAt = `
  select app_id::text as stream, version as "streamVersion", id::text as id
  from unnest($1::int[], $2::int[]) as place (app_id, version)
  join audit using (app_id, version)
  where action = any($3::text[])`;

/** $1 app, $2 version, $3 name, $4 time. */
export const insertApp = `insert into app (app_id, version, name, created_at) values ($1, $2, $3, $4)`;

/** $1 app, $2 version. */
export const moveAppVersion = `update app set version = $2 where app_id = $1`;

/** $1 app, $2 key, $3 kind, $4 prefix, $5 time. */
export const insertAppKey = `
  insert into app_key (app_id, key_id, kind, prefix, created_at) values ($1, $2, $3, $4, $5)`;

/** $1 app, $2 key, $3 time. */
export const revokeAppKey = `update app_key set revoked_at = $3 where app_id = $1 and key_id = $2`;

/** $1 app, $2 revision, $3 document, $4 ids, $5 revisions of paywalls, $6 actor, $7 time. */
export const insertRevision = `
  insert into catalog_revision (app_id, revision, document, ids, paywall_revisions, actor, time)
  values ($1, $2, $3, $4, $5, $6, $7)`;

/** $1 app, $2 version, $3 event id, $4 time, $5 actor, $6 action, $7 before, $8 after. */
export const insertAudit = `
  insert into audit (app_id, version, id, time, actor, action, before, after) values ($1, $2, $3, $4, $5, $6, $7, $8)`;
