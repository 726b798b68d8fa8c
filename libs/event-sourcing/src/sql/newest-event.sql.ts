/** $1 stream: its last event, by a look at the primary key. */
export const newestEvent = `
  SELECT stream, version, id, type, schema_version, (extract(epoch FROM time) * 1000)::float8 AS time_ms, data, meta
  FROM event WHERE stream = $1 ORDER BY version DESC LIMIT 1`;
