import type { FastifyRequest } from 'fastify';

/** Who may enter below a path, and how the bodies there are read. */
export interface Realm {
  /** Every route that begins so belongs to the realm, such as '/v2/'. */
  readonly prefix: string;
  /** Whether a body is handed on as its bytes, and its type may be left out; else it is JSON, and parsed. */
  readonly rawBody: boolean;
  /** Whether a request without a body is refused; else its body is undefined. */
  readonly bodyRequired: boolean;
  /** Whether `Idempotency-Key` is read. */
  readonly idempotencyKeys: boolean;
  /** The largest body of a route, given by its pattern. */
  bodyLimitBytes(route: string): number;
  /**
   * Recognises the caller, before the body is read, and notes who it is.
   * @throws ApiError if the caller may not enter
   */
  admit(request: FastifyRequest): void;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    realm?: Realm;
  }
}
