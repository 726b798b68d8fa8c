const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The text as Postgres and the topics write a UUID, or null if it is none: such a text names nothing. */
export const toUuid = (text: string): string | null => (uuid.test(text) ? text.toLowerCase() : null);
