/** $1 stream, $2 version, $3 how many: the events that follow it, in order. */
export const eventsAfter = `
  SELECT stream, version, id::text, type, schema_version, (extract(epoch FROM time) * 1000)::float8 AS time_ms, data, meta
  FROM event WHERE stream = $1 AND version > $2 ORDER BY version LIMIT $3`;
