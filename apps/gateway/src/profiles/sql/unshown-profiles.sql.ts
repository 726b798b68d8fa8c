/**
 * $1 profile id, $2 app, $3 version, $4 fields, $5 and $6 when it was created and expires. Of a customer who comes back after an
 * erasure the newer profile counts.
 */
export const keepUnshown = {
  name: 'keep-unshown',
  text: `
    INSERT INTO unshown_profile AS held (profile_id, app_id, version, fields, created_at, expires_at)
    VALUES ($1, $2, $3, $4, $5, $6)
    ON CONFLICT (profile_id) DO UPDATE
    SET version = excluded.version, fields = excluded.fields, created_at = excluded.created_at, expires_at = excluded.expires_at
    WHERE held.version <= excluded.version`,
};

/** $1 profile id, $2 app. */
export const findUnshown = {
  name: 'find-unshown',
  text: `SELECT version, fields, created_at FROM unshown_profile WHERE profile_id = $1 AND app_id = $2`,
};

/** $1 profile id. */
export const forgetUnshown = { name: 'forget-unshown', text: `DELETE FROM unshown_profile WHERE profile_id = $1` };

/** $1 time, $2 how many at most: in small steps, and around rows that somebody holds. */
export const purgeUnshown = {
  name: 'purge-unshown',
  text: `
    DELETE FROM unshown_profile WHERE profile_id = ANY (ARRAY(
      SELECT profile_id FROM unshown_profile WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED))`,
};
