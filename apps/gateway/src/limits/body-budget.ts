import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Realm } from '../http/realm.ts';
import type { Shed } from './load-shedding.ts';

/** Of the large bodies that a realm has at a time; those that begin without a key cannot take the room of others. */
const bytesOfRealm = 64 * 1_048_576;
/** Smaller ones are not counted: as many as there may be connections are no matter. */
const smallBytes = 65_536;

/**
 * Refuses a large body with 503 while as many are held as memory is meant for: until they are answered, since one that waits
 * for its turn is kept whole. Goes by what is announced; one that comes in chunks announces nothing, and counts with all that
 * it may fill until its end has come, then with what it filled.
 */
export function installBodyBudget(http: FastifyInstance, shed: Shed): void {
  const held = new Map<Realm, number>();
  const heldBy = (realm: Realm) => held.get(realm) ?? 0;

  http.addHook('preParsing', (request, reply, payload, done) => {
    const { realm, priority = 'report' } = request.routeOptions.config;
    if (realm === undefined) return done(null, payload);
    let bytes = counted(bytesToKeep(request));
    if (bytes === 0) return done(null, payload);
    if (heldBy(realm) + bytes > bytesOfRealm) return shed(reply, priority, 'bodies');
    held.set(realm, heldBy(realm) + bytes);
    const keepAtMost = (most: number) => {
      const kept = Math.min(bytes, most); // a refused body may end after its answer
      held.set(realm, heldBy(realm) - bytes + kept);
      bytes = kept;
    };
    reply.raw.once('close', () => keepAtMost(0));
    if (isChunked(request)) onceArrived(payload, (length) => keepAtMost(counted(length)));
    done(null, payload);
  });
}

const counted = (bytes: number): number => (bytes <= smallBytes ? 0 : bytes);

const isChunked = ({ headers }: FastifyRequest): boolean => headers['transfer-encoding'] !== undefined;

/** As many as a body may fill; one that is refused for its length is not kept. */
function bytesToKeep(request: FastifyRequest): number {
  const { bodyLimit } = request.routeOptions;
  if (isChunked(request)) return bodyLimit;
  const length = Number(request.headers['content-length'] ?? 0);
  return length > bodyLimit ? 0 : length;
}

/** Counts along with whoever reads: to be called where they begin to, since it lets the body flow. */
function onceArrived(body: NodeJS.ReadableStream, then: (length: number) => void): void {
  let length = 0;
  body.on('data', (chunk: Buffer) => (length += chunk.length));
  body.once('end', () => then(length));
}
