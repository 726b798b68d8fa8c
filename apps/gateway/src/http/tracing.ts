import { childOf, noTracer, parseTraceparent, type Span, type Tracer } from '@paywright/platform';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/**
 * Makes each request part of its client's trace (W3C `traceparent`), and records its work where that trace is
 * recorded, or where the sampler picks it. Never a path as it was sent, a header or a body.
 */
export function installTracing(http: FastifyInstance, tracer: Tracer): void {
  http.decorateRequest('traceparent', null);
  if (tracer === noTracer) {
    http.addHook('onRequest', (request, _reply, done) => {
      request.traceparent = handedOn(request);
      done();
    });
    return;
  }
  const spans = new WeakMap<FastifyRequest, Span>();
  http.addHook('onRequest', (request, _reply, done) => {
    const span = begin(tracer, request);
    if (span !== null) spans.set(request, span);
    request.traceparent = span?.traceparent ?? handedOn(request);
    done();
  });
  http.addHook('onResponse', (request, { statusCode }, done) => {
    const span = spans.get(request);
    span?.set({ 'http.response.status_code': statusCode, ...appOf(request) });
    span?.end(statusCode >= 500 ? String(statusCode) : undefined);
    done();
  });
}

function begin(tracer: Tracer, request: FastifyRequest): Span | null {
  const route = request.is404 ? 'none' : (request.routeOptions.url ?? 'none');
  const attributes = {
    'http.request.method': request.method,
    'http.route': route,
    'paywright.request_id': request.id,
  };
  const sent = sentBy(request);
  const parent = sent !== null && parseTraceparent(sent) !== null ? sent : null;
  return tracer.start(`${request.method} ${route}`, { kind: 'server', parent, attributes });
}

/** Of a trace that nothing is recorded of here, what its other parts go by all the same. */
function handedOn(request: FastifyRequest): string | null {
  const sent = sentBy(request);
  return sent === null ? null : childOf(sent);
}

const sentBy = ({ headers: { traceparent } }: FastifyRequest): string | null =>
  typeof traceparent === 'string' ? traceparent : null;

const appOf = ({ app }: FastifyRequest) => (app === null ? {} : { 'paywright.app_id': app.id });

declare module 'fastify' {
  interface FastifyRequest {
    /** The W3C trace that the request is part of; null: of none. */
    traceparent: string | null;
  }
}
