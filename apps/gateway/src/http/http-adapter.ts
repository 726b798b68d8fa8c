import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Socket } from 'node:net';
import { ApiError } from './api-error.ts';
import { errorEnvelope } from './error-answer.ts';
import { newRequestId } from './request-id.ts';

/** A client that takes longer to send a request only holds a connection. */
const requestTimeoutMs = 30_000;

/** Fastify under Nest, for JSON alone: no middleware, no other parsers, no logger of its own. */
export function createHttpAdapter(): FastifyAdapter {
  return new FastifyAdapter({
    genReqId: newRequestId,
    requestTimeout: requestTimeoutMs,
    skipMiddie: true,
    multipart: false,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    clientErrorHandler: (error, socket) => answerBrokenRequest(socket, error.code),
    // A path that cannot be decoded, or with a segment too long to be a name, is no route.
    frameworkErrors: (_error: Error, _request: FastifyRequest, reply: FastifyReply) => {
      void reply.code(404).type('application/json; charset=utf-8').send(errorEnvelope(noRoute));
    },
  });
}

const noRoute = new ApiError('ROUTE_NOT_FOUND', 'No route has this path.');

/** What cannot be read as HTTP gets the envelope too, written by hand: no request or reply exists. */
function answerBrokenRequest(socket: Socket, code: string | undefined): void {
  if (code === 'ECONNRESET' || socket.destroyed) return;
  const [status, refusal] = brokenRequests[code ?? ''] ?? brokenRequest;
  const body = JSON.stringify(errorEnvelope(refusal));
  const head = `HTTP/1.1 ${status}\r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(body)}`;
  if (socket.writable) socket.write(`${head}\r\nconnection: close\r\n\r\n${body}`);
  socket.destroySoon();
}

const brokenRequest = ['400 Bad Request', new ApiError('VALIDATION_FAILED', 'The request is not HTTP.')] as const;
const brokenRequests: Readonly<Record<string, readonly [string, ApiError]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [
    '408 Request Timeout',
    new ApiError('VALIDATION_FAILED', 'The request was not sent in time.'),
  ],
  HPE_HEADER_OVERFLOW: [
    '431 Request Header Fields Too Large',
    new ApiError('VALIDATION_FAILED', 'The headers are larger than this server takes.'),
  ],
};
