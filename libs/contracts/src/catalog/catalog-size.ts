/**
 * The most bytes that a catalog may have in a message, as JSON with every default and integer. Its topics take 24 MiB:
 * an event that is stored, and that they refuse, would stop every app behind it.
 */
const mostBytes = 20 * 1024 * 1024;

/** Whether a message about a catalog can be carried. */
export const canBeCarried = (body: unknown): boolean => Buffer.byteLength(JSON.stringify(body)) <= mostBytes;
