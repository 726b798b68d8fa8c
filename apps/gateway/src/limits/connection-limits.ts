import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Metrics } from '@paywright/platform';
import type { FastifyInstance } from 'fastify';
import type { Shed } from './load-shedding.ts';

/** Connections beyond the limit that are still told so; those beyond them are closed without a word. */
const toldBeyond = 256;
const idleClosedEveryMs = 1_000;

/**
 * Beyond its limit the server first closes connections that are idle, then answers requests on the new ones with 503
 * and closes those, and far beyond it takes no more.
 */
export function installConnectionLimits(
  http: FastifyInstance,
  { max, metrics, shed }: { max: number; metrics: Metrics; shed: Shed },
): void {
  const help = 'Connections that were closed without an answer, since there were far too many';
  const dropped = metrics.counter('gateway_connections_dropped_total', help);
  const surplus = new WeakSet<Socket>();
  let open = 0;
  let idleClosedAt = -Infinity;
  metrics.gauge('gateway_connections', 'Open connections', [], () => open);

  const makeRoom = (server: Server) => {
    const now = performance.now();
    if (now - idleClosedAt < idleClosedEveryMs) return;
    idleClosedAt = now;
    server.closeIdleConnections();
  };
  const { server } = http;
  server.maxConnections = max + toldBeyond;
  server.on('drop', () => dropped.inc());
  server.on('connection', (socket) => {
    open += 1;
    socket.once('close', () => (open -= 1));
    if (open <= max) return;
    surplus.add(socket);
    makeRoom(server);
  });

  http.addHook('onRequest', (request, reply, done) => {
    if (!surplus.has(request.raw.socket) || open <= max) return done();
    void reply.header('connection', 'close');
    shed(reply, request.routeOptions.config.priority ?? 'report', 'connections');
  });
}
