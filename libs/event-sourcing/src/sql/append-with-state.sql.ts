import { insertEvents, insertInbox } from './append.sql.ts';

/**
 * The append with personal fields and snapshots, where there are any; an old version never replaces a newer one.
 * Returns the complete personal fields of each stream that had some changed. They are merged with those that the
 * statement sees: had another writer changed them meanwhile, the events' versions would be taken.
 */
export const appendWithState = `
  WITH met AS (${insertInbox}),
  appended AS (${insertEvents}),
  snapped AS (
    INSERT INTO snapshot AS kept (stream, version, code, state)
    SELECT * FROM ROWS FROM (unnest($14::text[], $15::int[], $16::text[]), jsonb_array_elements($17::jsonb))
    ON CONFLICT (stream) DO UPDATE
    SET version = excluded.version, code = excluded.code, state = excluded.state
    WHERE kept.version < excluded.version OR kept.code <> excluded.code
  )
  INSERT INTO personal AS kept (stream, version, fields)
  SELECT stream, change.version,
         jsonb_strip_nulls(CASE WHEN erased THEN '{}' ELSE coalesce(before.fields, '{}') END || changes)
  FROM ROWS FROM (unnest($18::text[], $19::int[], $20::bool[]), jsonb_array_elements($21::jsonb))
         AS change (stream, version, erased, changes)
  LEFT JOIN personal AS before USING (stream)
  ON CONFLICT (stream) DO UPDATE
  SET version = excluded.version, fields = excluded.fields
  WHERE kept.version < excluded.version
  RETURNING stream, version, fields`;
