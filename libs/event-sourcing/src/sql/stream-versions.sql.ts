/** How far each stream has come, from the primary key alone. */
export const streamVersions = `SELECT stream, max(version) AS version FROM event GROUP BY stream`;
