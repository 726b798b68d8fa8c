/** $1 to $5: the commands met. */
export const insertInbox = `
    INSERT INTO inbox (command_id, stream, first_version, last_version, reply)
    SELECT * FROM unnest($1::uuid[], $2::text[], $3::int[], $4::int[], $5::text[])`;

/**
 * $6 to $13: the events. Their bodies are one JSON array, and so is what they came of: arrays of texts would be escaped and
 * parsed twice.
 */
export const insertEvents = `
  INSERT INTO event (stream, version, id, type, schema_version, time, data, meta)
  SELECT stream, version, id, type, schema_version, to_timestamp(time_ms / 1000), data, meta
  FROM ROWS FROM (
    unnest($6::text[], $7::int[], $8::uuid[], $9::text[], $10::smallint[], $11::float8[]),
    jsonb_array_elements($12::jsonb),
    jsonb_array_elements($13::jsonb)
  ) AS row (stream, version, id, type, schema_version, time_ms, data, meta)`;

/** Commands met and their events: one statement, so one transaction and one round trip. */
export const append = `
  WITH met AS (${insertInbox}
  )${insertEvents}`;
