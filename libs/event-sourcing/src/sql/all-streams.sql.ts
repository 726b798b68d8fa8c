/** All events, one stream after the other. */
export const allStreams = `
  SELECT stream, version, id, type, schema_version, (extract(epoch FROM time) * 1000)::float8 AS time_ms, data, meta
  FROM event ORDER BY stream, version`;
