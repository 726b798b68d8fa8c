/**
 * All events about in the order in which they were appended: by time, but never before an earlier one of their stream,
 * since commands come from several clocks. The places of rows are sorted, and not the rows, which are forty times as
 * long; they lie about in that order, so that the table is read a second time from one end to the other.
 */
export const allEvents = `
  SELECT event.stream, event.version, id, type, schema_version, (extract(epoch FROM time) * 1000)::float8 AS time_ms, data, meta
  FROM (
    SELECT ctid AS place, version, max(time) OVER (PARTITION BY stream ORDER BY version) AS reached
    FROM event ORDER BY reached, version
  ) AS ordered JOIN event ON event.ctid = ordered.place
  ORDER BY ordered.reached, ordered.version`;

/**
 * Rows are taken from their places in the order that was found, which no other way of joining keeps. And of 4 MB, which
 * a sort has by default, too few are merged at once where there are billions.
 */
export const allEventsSettings = `SET enable_hashjoin = off; SET enable_mergejoin = off; SET work_mem = '64MB'`;
