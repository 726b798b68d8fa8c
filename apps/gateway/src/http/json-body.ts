import { isUtf8 } from 'node:buffer';
import type { FastifyInstance } from 'fastify';
import { ApiError } from './api-error.ts';

const drainedBytes = 32 * 1_048_576;

/**
 * Lets the server read and drop the rest of a body that was refused for its length, up to 32 MiB: a client that still
 * writes when its connection closes may never see the answer. One that is larger, or of unknown length, closes it.
 */
export function installDroppedBodies(http: FastifyInstance): void {
  http.addHook('onSend', (request, reply, payload, done) => {
    if (reply.statusCode === 413 && Number(request.headers['content-length']) <= drainedBytes)
      void reply.header('connection', 'keep-alive');
    done(null, payload);
  });
}

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
