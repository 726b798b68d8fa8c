import type { FastifyInstance } from 'fastify';

/** For JSON: nothing may be guessed, framed, kept or fetched from it. A route that serves pages sets its own. */
export const securityHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

export function installSecurityHeaders(http: FastifyInstance): void {
  http.addHook('onRequest', (_request, reply, done) => {
    void reply.headers(securityHeaders);
    done();
  });
}
