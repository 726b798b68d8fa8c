import type { FastifyRequest } from 'fastify';
import type { App, Apps, KeyHolder } from '../catalog/apps.ts';
import type { Priority } from '../limits/load-limit.ts';
import { ApiError } from './api-error.ts';
import { headerOnce } from './header-once.ts';
import type { Realm } from './realm.ts';

const bodyLimitBytes = 1024 * 1024;

/** The base paths of the two generations of the REST API. */
export const webApiPaths = ['/api/v1/web-api/', '/v2/'] as const;

/** The REST API: entered with an app's secret key, raw in `Authorization`. */
export const webApiRealm = (prefix: string, apps: Apps): Realm => ({
  prefix,
  rawBody: false,
  bodyRequired: true,
  guessable: false,
  idempotencyKeys: true,
  bodyLimitBytes: () => bodyLimitBytes,
  priorityOf: (_method, route) => priorityOf(route),
  queryParametersOf: () => null,
  admit: (request) => {
    const { app, keyName } = authenticate(request, apps);
    request.app = app;
    return { limit: 'secret-key', id: keyName };
  },
});

function priorityOf(route: string): Priority {
  if (/\/paywalls?$/.test(route)) return 'paywall';
  if (route.includes('/purchases/')) return 'purchase';
  return route.endsWith('/events') ? 'bulk' : 'write';
}

function authenticate(request: FastifyRequest, apps: Apps): KeyHolder {
  const key = headerOnce(request, 'authorization');
  const holder = key && apps.bySecretKey(key);
  if (holder) return holder;
  throw new ApiError('INVALID_API_KEY', 'Authorization must be a valid secret key of an app, without any prefix.');
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The app whose secret key was presented; null outside the REST API. */
    app: App | null;
  }
}
