/**
 * All events about in the order in which they were appended: by time, but never before an earlier one of their stream,
 * since commands come from several clocks.
 */
export const allEvents = `
  SELECT stream, version, id, type, schema_version, (extract(epoch FROM time) * 1000)::float8 AS time_ms, data, meta
  FROM (SELECT *, max(time) OVER (PARTITION BY stream ORDER BY version) AS reached FROM event) AS event
  ORDER BY reached, stream, version`;
