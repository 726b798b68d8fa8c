import { isUtf8 } from 'node:buffer';
import type { FastifyInstance } from 'fastify';
import { ApiError } from './api-error.ts';

/**
 * Reads every body as JSON in UTF-8, but where its realm wants the bytes; admission has looked at its type. An empty one
 * is undefined.
 */
export function installJsonBody(http: FastifyInstance): void {
  http.removeAllContentTypeParsers();
  http.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body, done) => {
    const bytes = Buffer.isBuffer(body) ? body : Buffer.from(body);
    try {
      done(null, request.routeOptions.config.realm?.rawBody ? bytes : parseJson(bytes));
    } catch (error) {
      done(error instanceof Error ? error : new Error(String(error)));
    }
  });
}

function parseJson(body: Buffer): unknown {
  if (body.length === 0) return undefined;
  if (!isUtf8(body)) throw new ApiError('MALFORMED_JSON', 'The body must be JSON in UTF-8.');
  try {
    return JSON.parse(body.toString());
  } catch {
    // V8's message quotes the body: it may hold personal fields and is not repeated.
    throw new ApiError('MALFORMED_JSON', 'The body must be JSON, but it cannot be parsed.');
  }
}
