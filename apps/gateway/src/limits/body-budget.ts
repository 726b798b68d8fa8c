import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Realm } from '../http/realm.ts';
import type { Shed } from './load-shedding.ts';

/** Of the large bodies that a realm has at a time; those that begin without a key cannot take the room of others. */
const bytesOfRealm = 64 * 1_048_576;
/** Smaller ones are not counted: as many as there may be connections are no matter. */
const smallBytes = 65_536;

/**
 * Refuses a large body with 503 while as many are held as memory is meant for: until they are answered, since one that waits
 * for its turn is kept whole. Goes by what is announced.
 */
export function installBodyBudget(http: FastifyInstance, shed: Shed): void {
  const held = new Map<Realm, number>();

  http.addHook('onRequest', (request, reply, done) => {
    const { realm, priority = 'report' } = request.routeOptions.config;
    if (realm === undefined) return done();
    const bytes = bytesToKeep(request);
    if (bytes <= smallBytes) return done();
    const before = held.get(realm) ?? 0;
    if (before + bytes > bytesOfRealm) return shed(reply, priority, 'bodies');
    held.set(realm, before + bytes);
    reply.raw.once('close', () => held.set(realm, (held.get(realm) ?? 0) - bytes));
    done();
  });
}

/** As many as a body may fill; one that is refused for its length is not kept. */
function bytesToKeep({ headers, routeOptions }: FastifyRequest): number {
  const { bodyLimit } = routeOptions;
  if (headers['transfer-encoding'] !== undefined) return bodyLimit;
  const length = Number(headers['content-length'] ?? 0);
  return length > bodyLimit ? 0 : length;
}
