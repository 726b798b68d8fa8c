/** $1 stream, $2 id of the event. */
export const hasEvent = `SELECT FROM event WHERE stream = $1 AND id = $2`;
