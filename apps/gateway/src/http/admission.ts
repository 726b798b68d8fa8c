import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { addressGroup } from '../limits/address-group.ts';
import type { Payer, RateLimits } from '../limits/rate-limits.ts';
import { ApiError, routeNotFound, validationFailed } from './api-error.ts';
import type { Realm } from './realm.ts';
import { RouteTable } from './route-table.ts';

const json = /^\s*application\/json\s*(;|$)/i;
const methodsWithBody = new Set(['POST', 'PUT', 'PATCH']);

/**
 * Refuses, in this order and before a byte of the body is read: an unknown path (404), another method (405),
 * a caller that the path's realm does not admit (401), a body that is not JSON by its type (415; where the realm wants
 * the bytes, it need not have one) or that is compressed (415). What the reading of the body refuses (413, malformed) follows, then a missing body,
 * then a query or a body that names what the route does not take (400).
 * A request counts against the rate limit of its caller, or of its address (429).
 */
export function installAdmission(http: FastifyInstance, realms: readonly Realm[], limits: RateLimits): void {
  const routes = new RouteTable();
  http.decorateRequest('app', null);
  http.decorateRequest('commandId', '');

  http.addHook('onRoute', (route) => {
    routes.add(route);
    const realm = realms.find(({ prefix }) => route.url.startsWith(prefix));
    if (realm === undefined) return;
    const [method = 'GET'] = [route.method].flat();
    route.config = {
      ...route.config,
      realm,
      priority: realm.priorityOf(method, route.url),
      queryParameters: realm.queryParametersOf(method, route.url),
      bodyFields: realm.bodyFieldsOf(method, route.url),
    };
    route.bodyLimit = realm.bodyLimitBytes(route.url);
  });

  // What else a client expects may be ignored; Node's own refusal would have no envelope.
  http.server.on('checkExpectation', (request, response) => http.server.emit('request', request, response));

  http.addHook('onRequest', (request, reply, done) => {
    if (request.headers.host === undefined && request.raw.httpVersion === '1.1')
      throw validationFailed('Host must be given.');
    if (request.is404) {
      limits.charge(addressOf(request));
      throw noSuchRoute(request, reply, routes);
    }
    request.commandId = request.id;
    limits.charge(recognised(request, limits) ?? addressOf(request));
    if (methodsWithBody.has(request.method)) requireJson(request);
    done();
  });

  http.addHook('preValidation', (request, _reply, done) => {
    if (request.body === undefined && request.routeOptions.config.realm?.bodyRequired) {
      throw new ApiError('MALFORMED_JSON', 'The body must be JSON, but it is empty.');
    }
    const { queryParameters = null, bodyFields = null } = request.routeOptions.config;
    refuseOthers('query', request.query, queryParameters, 'This route takes no query.');
    refuseOthers('body', request.body, bodyFields, 'The body of this route takes no field.');
    done();
  });
}

const addressOf = ({ ip }: FastifyRequest): Payer => ({ limit: 'address', id: addressGroup(ip) });

/**
 * Who asks, if the realm asks for that. A wrong key counts against its address; a right one is let in all the same,
 * for an address may be that of many, unless people choose what opens the realm, so that it might be guessed.
 */
function recognised(request: FastifyRequest, limits: RateLimits): Payer | null {
  const { realm } = request.routeOptions.config;
  if (realm === undefined) return null;
  if (realm.guessable) limits.refuseIfSpent({ ...addressOf(request), limit: 'wrong-key' });
  try {
    return realm.admit(request);
  } catch (error) {
    const isWrongKey = error instanceof ApiError && error.status === 401;
    limits.charge({ ...addressOf(request), ...(isWrongKey && { limit: 'wrong-key' }) });
    throw error;
  }
}

function noSuchRoute(request: FastifyRequest, reply: FastifyReply, routes: RouteTable): ApiError {
  const [path = ''] = request.url.split('?', 1);
  const methods = routes.methodsOf(path);
  if (methods.length === 0) return routeNotFound(hintAt(path, routes));
  void reply.header('allow', methods.join(', '));
  return new ApiError('METHOD_NOT_ALLOWED', `This path takes ${methods.join(' or ')} only.`);
}

/** An address of a gateway that ends with a slash, or a path that does, is the usual mistake. */
function hintAt(path: string, routes: RouteTable): string | undefined {
  const tidy = path.replaceAll(/\/{2,}/g, '/').replace(/(?<=.)\/$/, '');
  return tidy !== path && routes.methodsOf(tidy).length > 0 ? ', which has a slash too many' : undefined;
}

function requireJson({ headers, routeOptions }: FastifyRequest): void {
  const type = headers['content-type'];
  const mayBeUntyped = routeOptions.config.realm?.rawBody || !hasBody(headers);
  if (!(type === undefined ? mayBeUntyped : json.test(type)))
    throw new ApiError('UNSUPPORTED_MEDIA_TYPE', 'Content-Type must be application/json.');
  if (/^(identity)?$/i.test(headers['content-encoding'] ?? '')) return;
  throw new ApiError('UNSUPPORTED_MEDIA_TYPE', 'Content-Encoding must be identity: the body is not to be compressed.');
}

/**
 * A flag or a field that is misspelt must not be taken for one that was left out: the request would do what it was not to do.
 * @param known what the route takes; null if all else is ignored
 * @param ifNone what is said where it takes none
 */
function refuseOthers(part: 'query' | 'body', sent: unknown, known: readonly string[] | null, ifNone: string): void {
  if (known === null || typeof sent !== 'object' || sent === null || Array.isArray(sent)) return;
  if (Object.keys(sent).every((name) => known.includes(name))) return;
  if (known.length === 0) throw validationFailed(ifNone);
  const all = new Intl.ListFormat('en-GB').format(known);
  throw validationFailed(`The ${part} of this route takes ${all} alone.`);
}

const hasBody = (headers: FastifyRequest['headers']) =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
