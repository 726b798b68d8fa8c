import type { Logger, Metrics } from '@paywright/platform';
import type { FastifyInstance, FastifyReply } from 'fastify';

/**
 * Gives every answer its request's id, counts and times requests by route, method and status, and logs each
 * at DEBUG, a refusal with its code: never a path as it was sent, a header or a body, which may hold keys and personal fields.
 */
export function installObservation(http: FastifyInstance, metrics: Metrics, logger: Logger): void {
  const labels = ['route', 'method', 'status'];
  const seconds = metrics.histogram('gateway_request_seconds', 'Time from request to answer', labels);
  const pending = metrics.gauge('gateway_requests_pending', 'Requests that wait for their answer');

  http.decorateRequest('refusalCode', null);
  http.addHook('onRequest', (request, reply, done) => {
    pending.inc();
    reply.raw.once('close', () => pending.dec()); // comes also when the client has gone, which onResponse does not
    void reply.header('x-request-id', request.id);
    done();
  });

  http.addHook('onResponse', (request, reply, done) => {
    const observed = { route: routeOf(reply), method: methodOf(request.method), status: String(reply.statusCode) };
    seconds.observe(observed, reply.elapsedTime / 1_000);
    const { id: requestId, refusalCode } = request;
    const code = refusalCode !== null && { code: refusalCode };
    logger.debug({ requestId, ...observed, ...code, milliseconds: reply.elapsedTime }, 'Answered');
    done();
  });
}

const routeOf = ({ request }: FastifyReply) => (request.is404 ? 'none' : (request.routeOptions.url ?? 'none'));

/** A client may send any word as a method: a label takes few. */
const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
const methodOf = (method: string) => (knownMethods.has(method) ? method : 'other');

declare module 'fastify' {
  interface FastifyRequest {
    /** The code of the error that it is answered with; null where it is none, or the kept answer of an earlier request. */
    refusalCode: string | null;
  }
}
