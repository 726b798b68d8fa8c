import type { Logger } from '@paywright/platform';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { validationFailed } from '../http/api-error.ts';
import { errorEnvelope, toApiError } from '../http/error-answer.ts';
import { logDefect } from '../http/log-defect.ts';
import { fingerprintOf } from './canonical-json.ts';
import type { Idempotency } from './idempotency.ts';
import type { KeyClaim } from './idempotency-store.ts';

const visibleAscii = /^[\x21-\x7e]{1,255}$/;

/**
 * Before validation, a request with an `Idempotency-Key` is claimed, or answered with what its first one was.
 * The answer is stored as the text that is sent, before it is sent. Without the header nothing is done.
 */
export function installIdempotency(http: FastifyInstance, idempotency: Idempotency, logger: Logger): void {
  http.decorateRequest('keyClaim', null);
  http.decorateRequest('answerMayChange', false);
  http.decorateRequest('followUp', null);

  http.addHook('preHandler', (request, reply, done) => {
    const key = request.headers['idempotency-key'];
    if (key === undefined || !request.routeOptions.config.realm?.idempotencyKeys) return done();
    begin(idempotency, request, reply, String(key)).then((answered) => (answered ? undefined : done()), done);
  });

  http.addHook('onSend', (request, reply, payload, done) => {
    const { keyClaim, answerMayChange: mayChange, followUp, shownProfile } = request;
    if (keyClaim === null) return done(null, payload);
    request.keyClaim = null;
    const answer = { status: reply.statusCode, body: String(payload) };
    idempotency.end(keyClaim, answer, { mayChange, followUp, shownProfile }).then(
      () => done(null, payload),
      (error: unknown) => done(null, refusalInstead(request, reply, error, logger)),
    );
  });
}

async function begin(
  idempotency: Idempotency,
  request: FastifyRequest,
  reply: FastifyReply,
  key: string,
): Promise<boolean> {
  if (!visibleAscii.test(key)) throw validationFailed('Idempotency-Key must be 1 to 255 visible ASCII characters.');
  if (request.app === null) return false;
  // The route's, however the request spelt it: none that takes keys has a parameter.
  const { url: path = '' } = request.routeOptions;
  const scope = { appId: request.app.id, method: request.method, path, key };
  const begun = await idempotency.begin(scope, fingerprintOf(request.body), request.commandId);
  if ('answer' in begun) {
    void reply.code(begun.answer.status).type('application/json; charset=utf-8').send(begun.answer.body);
    return true;
  }
  request.keyClaim = begun.claim;
  request.commandId = begun.claim.commandId;
  return false;
}

/** The answer could not be kept, so it must not be given: the client repeats, and gets what was then kept. */
function refusalInstead(request: FastifyRequest, reply: FastifyReply, error: unknown, logger: Logger): string {
  const refusal = toApiError(error, request.routeOptions.bodyLimit);
  if (refusal.status === 500) logDefect(logger, request, error);
  request.refusalCode = refusal.code;
  void reply.code(refusal.status).header('retry-after', '1');
  return JSON.stringify(errorEnvelope(refusal));
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The request's claim of its Idempotency-Key, until it is answered. */
    keyClaim: KeyClaim | null;
    /** Whether the same request may soon be answered otherwise, so that the answer is not kept. */
    answerMayChange: boolean;
    /** What is to be posted once the answer is kept. */
    followUp: string | null;
  }
}
