/** $1 streams: all their events, one stream after the other. */
export const eventsOfStreams = `
  SELECT stream, version, id, type, schema_version, (extract(epoch FROM time) * 1000)::float8 AS time_ms, data, meta
  FROM event WHERE stream = ANY($1) ORDER BY stream, version`;
