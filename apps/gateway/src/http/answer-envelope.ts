import type { FastifyInstance } from 'fastify';
import { Answer } from './answer.ts';

/** Puts what a controller returns as an `Answer` into the envelope of success, with its status. */
export function installAnswerEnvelope(http: FastifyInstance): void {
  http.decorateRequest('shownProfile', null);
  http.addHook('preSerialization', (request, reply, payload: unknown, done) => {
    if (!(payload instanceof Answer)) return done(null, payload);
    request.shownProfile = payload.profileId;
    void reply.code(payload.created ? 201 : 200);
    done(null, { ok: true, data: payload.data });
  });
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The profile that the answer shows without naming it. */
    shownProfile: string | null;
  }
}
