/** What is personal now, with the app that the stream's first event names; emptied rows too. */
export const allPersonal = `
  SELECT personal.stream, personal.version, personal.fields, (event.data->>'appId')::int AS app_id
  FROM personal JOIN event ON event.stream = personal.stream AND event.version = 1
  ORDER BY personal.stream`;
