/** Deletes inbox rows by age, so many at a time that no append waits for long. */
export const forgetCommands = `
  DELETE FROM inbox WHERE command_id = ANY(ARRAY(
    SELECT command_id FROM inbox WHERE created_at < to_timestamp($1::float8 / 1000) LIMIT 10000
  ))`;
