import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Priority } from './load-limit.ts';

/** Told of every request that is worked on, and of its answer. */
export interface WorkReader {
  enter(priority: Priority): void;
  /**
   * @param tookMs since it entered; null if it was not answered with success, which tells nothing of speed
   * @param now milliseconds of the process's own clock
   */
  leave(priority: Priority, tookMs: number | null, now: number): void;
}

export const priorityOf = (request: FastifyRequest): Priority => request.routeOptions.config.priority ?? 'report';

/**
 * Measures, once for all who read it, how long a request is at work: from when its body is there, so that a slow sender
 * is no slow answer, until its answer is made, whether or not its client still waits. To be installed behind what refuses.
 */
export function measureWork(http: FastifyInstance, readers: readonly WorkReader[]): void {
  http.decorateRequest('atWorkSince', null);

  http.addHook('preValidation', (request, _reply, done) => {
    request.atWorkSince = performance.now();
    for (const reader of readers) reader.enter(priorityOf(request));
    done();
  });

  http.addHook('onSend', (request, reply, payload, done) => {
    const since = request.atWorkSince;
    if (since !== null) {
      request.atWorkSince = null;
      const now = performance.now();
      const tookMs = reply.statusCode < 300 ? now - since : null;
      for (const reader of readers) reader.leave(priorityOf(request), tookMs, now);
    }
    done(null, payload);
  });
}

declare module 'fastify' {
  interface FastifyRequest {
    /** When its work began, in milliseconds of the process's own clock; null before and after. */
    atWorkSince: number | null;
  }
}
