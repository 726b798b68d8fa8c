/**
 * Deletes inbox rows by age, so many at a time that no append waits for long. By the database's clock, which stamped them.
 * $1 age in milliseconds.
 */
export const forgetCommands = `
  DELETE FROM inbox WHERE command_id = ANY(ARRAY(
    SELECT command_id FROM inbox WHERE created_at < now() - $1::float8 * interval '1 millisecond' LIMIT 10000
  ))`;
