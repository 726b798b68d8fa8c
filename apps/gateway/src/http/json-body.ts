import { isUtf8 } from 'node:buffer';
import type { FastifyInstance } from 'fastify';
import { ApiError } from './api-error.ts';

/** Reads every body as JSON in UTF-8; admission has looked at its type. An empty one is undefined. */
export function installJsonBody(http: FastifyInstance): void {
  http.removeAllContentTypeParsers();
  http.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => {
    try {
      done(null, parseJson(Buffer.isBuffer(body) ? body : Buffer.from(body)));
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
