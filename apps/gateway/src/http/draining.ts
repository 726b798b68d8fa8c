import type { FastifyInstance } from 'fastify';

/**
 * Ends a connection with the answer that was in flight when closing began: kept alive, it would hold the
 * process until its client lets go. Idle connections are closed by the server itself.
 */
export function installDraining(http: FastifyInstance): void {
  let closing = false;
  http.addHook('preClose', (done) => {
    closing = true;
    done();
  });
  http.addHook('onSend', (_request, reply, payload, done) => {
    if (closing) void reply.header('connection', 'close');
    done(null, payload);
  });
}
