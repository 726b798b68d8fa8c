import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Socket } from 'node:net';
import { rangesOf, type LimitsConfig } from '../limits/limits-config.ts';
import { ApiError } from './api-error.ts';
import { errorEnvelope } from './error-answer.ts';
import { newRequestId } from './request-id.ts';
import { securityHeaders } from './security-headers.ts';

const maxHeaderBytes = 16_384;
/** Nothing sent or taken for so long, though a request is at work: no answer takes as long, so its client is gone. */
const silentSocketMs = 60_000;
const pathOfNoRoute = '/no-route';
/** How often the server looks for requests that take too long to arrive. */
const longestCheckMs = 5_000;

/** Fastify under Nest, for JSON alone: no middleware, no other parsers, no logger of its own. */
export function createHttpAdapter(limits: LimitsConfig): FastifyAdapter {
  const headersTimeout = Math.min(limits.HEADERS_TIMEOUT_MS, limits.REQUEST_TIMEOUT_MS);
  const proxies = rangesOf(limits.TRUSTED_PROXIES);
  return new FastifyAdapter({
    genReqId: newRequestId,
    requestTimeout: limits.REQUEST_TIMEOUT_MS,
    keepAliveTimeout: limits.KEEP_ALIVE_TIMEOUT_MS,
    connectionTimeout: silentSocketMs,
    http: {
      requireHostHeader: false, // admission requires it, with the envelope
      headersTimeout,
      maxHeaderSize: maxHeaderBytes,
      connectionsCheckingInterval: Math.min(longestCheckMs, Math.ceil(headersTimeout / 2)),
    },
    trustProxy: proxies.length > 0 && proxies,
    skipMiddie: true,
    multipart: false,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    clientErrorHandler: (error, socket) => answerBrokenRequest(socket, error.code),
    // A path that cannot be decoded, or with a segment too long to be a name, is no route: begun anew as such, it meets
    // the hooks, which the router left out.
    frameworkErrors: (_error: Error, { server, raw }: FastifyRequest, reply: FastifyReply) => {
      raw.url = pathOfNoRoute;
      server.routing(raw, reply.raw);
    },
  });
}

/** What cannot be read as HTTP gets the envelope too, written by hand: no request or reply exists. */
function answerBrokenRequest(socket: Socket, code: string | undefined): void {
  if (code === 'ECONNRESET' || socket.destroyed) return;
  const [status, refusal] = brokenRequests[code ?? ''] ?? brokenRequest;
  const body = JSON.stringify(errorEnvelope(refusal));
  const headers = {
    ...securityHeaders,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  if (socket.writable) socket.write(`HTTP/1.1 ${status}\r\n${lines.join('')}\r\n${body}`);
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
