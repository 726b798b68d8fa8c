import type { FastifyRequest } from 'fastify';

/**
 * The header's value, if it was sent once: which of several is meant, nobody can know. Node would keep the first
 * `Authorization`, and join others.
 * @param name in lower case
 */
export function headerOnce({ raw: { rawHeaders } }: FastifyRequest, name: string): string | undefined {
  const values = rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name);
  return values.length === 1 ? values[0] : undefined;
}
