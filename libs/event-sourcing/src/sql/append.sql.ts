/** $1 to $5: the commands met. */
export const insertInbox = `
    INSERT INTO inbox (command_id, stream, first_version, last_version, reply)
    SELECT * FROM unnest($1::uuid[], $2::text[], $3::int[], $4::int[], $5::text[])`;

/** $6 to $14: the events. Their bodies are one JSON array: an array of JSON texts would be escaped and parsed twice. */
export const insertEvents = `
  INSERT INTO event (stream, version, id, type, schema_version, time, data, meta)
  SELECT stream, version, id, type, schema_version, to_timestamp(time_ms / 1000), data,
         jsonb_build_object('correlationId', correlation_id, 'causationId', causation_id)
  FROM ROWS FROM (
    unnest($6::text[], $7::int[], $8::uuid[], $9::text[], $10::smallint[], $11::float8[], $12::text[], $13::text[]),
    jsonb_array_elements($14::jsonb)
  ) AS row (stream, version, id, type, schema_version, time_ms, correlation_id, causation_id, data)`;

/** Commands met and their events: one statement, so one transaction and one round trip. */
export const append = `
  WITH met AS (${insertInbox}
  )${insertEvents}`;
