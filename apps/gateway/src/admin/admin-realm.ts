import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { kindOfKey } from '../catalog/api-key.ts';
import { ApiError } from '../http/api-error.ts';
import { headerOnce } from '../http/header-once.ts';
import type { Realm } from '../http/realm.ts';
import type { Priority } from '../limits/load-limit.ts';
import type { Payer } from '../limits/rate-limits.ts';
import { bodyFieldsOf, describedOperations } from '../openapi/openapi-document.ts';
import type { Operation } from '../openapi/operation.ts';
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
    return operationOf(method, route)?.query?.map(({ name }) => name) ?? [];
  }

  bodyFieldsOf(method: string, route: string): readonly string[] | null {
    const operation = operationOf(method, route);
    return operation === undefined ? null : bodyFieldsOf(operation);
  }

  admit(request: FastifyRequest): Payer {
    const [, token] = bearer.exec(headerOnce(request, 'authorization') ?? '') ?? [];
    const caller = token === undefined ? null : this.tokens.find(token);
    if (caller === null) throw new ApiError('INVALID_ADMIN_TOKEN', `Authorization ${faultOf(token, request)}.`);
    if (caller.role === 'viewer' && !readingMethods.has(request.method))
      throw new ApiError('FORBIDDEN', `The token "${caller.name}" may read, but not write.`);
    request.admin = caller;
    return { limit: 'admin-token', id: String(caller.place) };
  }
}

function operationOf(method: string, route: string): Operation | undefined {
  const path = route.replace(/:(\w+)/g, '{$1}');
  return describedOperations[path]?.[method === 'HEAD' ? 'get' : method.toLowerCase()];
}

/** What is to be mended, by the form of what was sent. @param token what stands behind "Bearer" */
function faultOf(token: string | undefined, request: FastifyRequest): string {
  const { authorization } = request.headers;
  if (!authorization) return 'must be given: "Bearer" and an admin token';
  if (headerOnce(request, 'authorization') === undefined) return 'must be given once';
  if (kindOfKey(token ?? authorization) !== null)
    return 'must be "Bearer" and an admin token: the key of an app opens nothing here';
  if (token === undefined) return 'must be "Bearer", a space and an admin token';
  return 'has no valid admin token: this one is not among the ADMIN_TOKENS of the gateway';
}
