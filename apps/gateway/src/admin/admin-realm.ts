import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { ApiError } from '../http/api-error.ts';
import { headerOnce } from '../http/header-once.ts';
import type { Realm } from '../http/realm.ts';
import type { Priority } from '../limits/load-limit.ts';
import type { Payer } from '../limits/rate-limits.ts';
import { describedOperations } from '../openapi/openapi-document.ts';
import { AdminTokens } from './access/admin-tokens.ts';

const mebibyte = 1024 * 1024;
const bearer = /^Bearer +(\S+) *$/i;
const readingMethods = new Set(['GET', 'HEAD']);

/** The admin API: entered with an admin token as a Bearer; a viewer may read alone. */
@Injectable()
export class AdminRealm implements Realm {
  readonly prefix = '/admin/v1/';
  readonly rawBody = false;
  readonly bodyRequired = false;
  readonly guessable = true;
  readonly idempotencyKeys = false;

  constructor(private readonly tokens: AdminTokens) {}

  /** A catalog is one document, and may be long. */
  bodyLimitBytes(route: string): number {
    return route.endsWith('/catalog') ? 8 * mebibyte : mebibyte;
  }

  /** What only looks can wait; a key to be revoked, or traffic to be taken off a model, cannot. */
  priorityOf(method: string): Priority {
    return readingMethods.has(method) ? 'report' : 'write';
  }

  queryParametersOf(method: string, route: string): readonly string[] {
    const path = route.replace(/:(\w+)/g, '{$1}');
    const operation = describedOperations[path]?.[method === 'HEAD' ? 'get' : method.toLowerCase()];
    return operation?.query?.map(({ name }) => name) ?? [];
  }

  admit(request: FastifyRequest): Payer {
    const [, token] = bearer.exec(headerOnce(request, 'authorization') ?? '') ?? [];
    const caller = token === undefined ? null : this.tokens.find(token);
    if (caller === null)
      throw new ApiError('INVALID_ADMIN_TOKEN', 'Authorization must be "Bearer" and a valid admin token.');
    if (caller.role === 'viewer' && !readingMethods.has(request.method))
      throw new ApiError('FORBIDDEN', `The token "${caller.name}" may read, but not write.`);
    request.admin = caller;
    return { limit: 'admin-token', id: String(caller.place) };
  }
}
