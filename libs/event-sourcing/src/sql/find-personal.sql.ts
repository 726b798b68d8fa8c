/** $1: streams. */
export const findPersonal = `SELECT stream, version, fields FROM personal WHERE stream = ANY($1::text[])`;
