/**
 * Deletes inbox rows by age, the oldest first, so many at a time that no append waits for long. By the database's clock, which
 * stamped them. $1 age in milliseconds.
 */
export const forgetCommands = `
  DELETE FROM inbox WHERE ctid = ANY(ARRAY(
    SELECT ctid FROM inbox WHERE created_at < now() - $1::float8 * interval '1 millisecond'
    ORDER BY created_at LIMIT 10000
  ))`;
