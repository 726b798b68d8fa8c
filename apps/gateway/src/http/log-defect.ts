import type { Logger } from '@paywright/platform';
import type { FastifyRequest } from 'fastify';

/** One line of what was answered 500, with the request's id to find it by. */
export function logDefect(
  logger: Logger,
  { id: requestId, method, routeOptions }: FastifyRequest,
  error: unknown,
): void {
  logger.error({ requestId, method, route: routeOptions.url, error }, 'A request failed');
}
