import type { FastifyRequest } from 'fastify';
import type { Priority } from '../limits/load-limit.ts';
import type { Payer } from '../limits/rate-limits.ts';

/** Who may enter below a path, and how the bodies there are read. */
export interface Realm {
  /** Every route that begins so belongs to the realm, such as '/v2/'. */
  readonly prefix: string;
  /** Whether a body is handed on as its bytes, and its type may be left out; else it is JSON, and parsed. */
  readonly rawBody: boolean;
  /** Whether a request without a body is refused; else its body is undefined. */
  readonly bodyRequired: boolean;
  /** Whether people choose what opens it: then no more is tried from an address that has tried too much. */
  readonly guessable: boolean;
  /** Whether `Idempotency-Key` is read. */
  readonly idempotencyKeys: boolean;
  /** The largest body of a route, given by its pattern. */
  bodyLimitBytes(route: string): number;
  /** What is refused before what when too much comes. */
  priorityOf(method: string, route: string): Priority;
  /** What the query of a route may name, the route given by its pattern; null if all else is ignored. */
  queryParametersOf(method: string, route: string): readonly string[] | null;
  /** What the body of a route may have, the route given by its pattern; null if that is not checked beforehand. */
  bodyFieldsOf(method: string, route: string): readonly string[] | null;
  /**
   * Recognises the caller, before the body is read, and notes who it is.
   * @returns whose rate limit the request counts against; null for that of its address
   * @throws ApiError if the caller may not enter
   */
  admit(request: FastifyRequest): Payer | null;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    realm?: Realm;
    priority?: Priority;
    queryParameters?: readonly string[] | null;
    bodyFields?: readonly string[] | null;
  }
}
