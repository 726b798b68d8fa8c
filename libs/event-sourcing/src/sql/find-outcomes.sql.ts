/**
 * $1 and $2: commands and their streams. Of those that were met, a row for each of their events, or one without an event;
 * with what is personal now.
 */
export const findOutcomes = `
  SELECT inbox.command_id, inbox.reply, personal.version AS personal_version, personal.fields AS personal_fields,
         event.stream, event.version, event.id, event.type, event.schema_version,
         (extract(epoch FROM event.time) * 1000)::float8 AS time_ms, event.data, event.meta
  FROM unnest($1::uuid[], $2::text[]) AS asked (command_id, stream)
  JOIN inbox USING (command_id, stream)
  LEFT JOIN LATERAL (
    SELECT * FROM event
    WHERE event.stream = inbox.stream AND event.version BETWEEN inbox.first_version AND inbox.last_version
    ORDER BY event.version
  ) AS event ON true
  LEFT JOIN personal ON personal.stream = inbox.stream
  ORDER BY inbox.command_id, event.version`;
