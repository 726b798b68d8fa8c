import { isUtf8 } from 'node:buffer';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError } from './api-error.ts';

const drainedBytes = 32 * 1_048_576;

/**
 * Lets the server read and drop the rest of a body that it refused to read, up to 32 MiB: a client that still writes
 * when its connection closes may never see the answer. One that is larger, or of unknown length, closes it, or it could
 * go on for ever.
 */
export function installDroppedBodies(http: FastifyInstance): void {
  http.addHook('onSend', (request, reply, payload, done) => {
    if (reply.statusCode >= 400 && !request.raw.complete) {
      const rest = bytesOf(request.headers);
      if (rest > drainedBytes) void reply.header('connection', 'close');
      else if (reply.statusCode === 413) void reply.header('connection', 'keep-alive');
    }
    done(null, payload);
  });
}

const bytesOf = (headers: FastifyRequest['headers']): number =>
  headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : Infinity;

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
