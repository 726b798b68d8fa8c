import type { FastifyInstance } from 'fastify';
import { Answer } from './answer.ts';

/** Puts what a controller returns as an `Answer` into the envelope of success, with its status. */
export function installAnswerEnvelope(http: FastifyInstance): void {
  http.addHook('preSerialization', (_request, reply, payload: unknown, done) => {
    if (!(payload instanceof Answer)) return done(null, payload);
    void reply.code(payload.created ? 201 : 200);
    done(null, { ok: true, data: payload.data });
  });
}
