/** How far each stream has come, from the primary key alone. */
export const streamVersions = `SELECT stream, max(version) AS version FROM event GROUP BY stream`;

/** $1 streams: how far each has come. A look at the primary key for each, however many others there are. */
export const versionsOfStreams = `
  SELECT wanted.stream, event.version
  FROM unnest($1::text[]) AS wanted (stream)
  CROSS JOIN LATERAL (
    SELECT version FROM event WHERE event.stream = wanted.stream ORDER BY version DESC LIMIT 1
  ) AS event`;
