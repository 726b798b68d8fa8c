import { setTimeout as sleep } from 'node:timers/promises';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';

/**
 * Lets connections end with an answer once the process is to end: from `leave` on, and at the latest with those in
 * flight when closing begins. Kept alive, they would hold the process until their clients let go.
 */
export function installDraining(http: FastifyInstance): void {
  const leaving = new AbortController();
  http.decorate('leaving', leaving);
  http.addHook('preClose', (done) => {
    leaving.abort();
    done();
  });
  http.addHook('onSend', (_request, reply, payload, done) => {
    if (leaving.signal.aborted) void reply.header('connection', 'close');
    done(null, payload);
  });
}

/**
 * Takes requests for so long as ever, and ends each connection with its next answer. A connection that the server closed
 * at once could meet a request on its way, which would get no answer; and who sends requests here, a load balancer say,
 * takes a moment to notice that this instance is not ready.
 */
export async function leave(app: NestFastifyApplication, forMs: number): Promise<void> {
  app.getHttpAdapter().getInstance().leaving.abort();
  await sleep(forMs);
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Aborted when connections are to end with their next answer. */
    readonly leaving: AbortController;
  }
}
