import type { FastifyRequest } from 'fastify';
import type { App, Apps } from '../catalog/apps.ts';
import { ApiError } from './api-error.ts';
import type { Realm } from './realm.ts';

const bodyLimitBytes = 1024 * 1024;

/** The base paths of the two generations of the REST API. */
export const webApiPaths = ['/api/v1/web-api/', '/v2/'] as const;

/** The REST API: entered with an app's secret key, raw in `Authorization`. */
export const webApiRealm = (prefix: string, apps: Apps): Realm => ({
  prefix,
  rawBody: false,
  bodyRequired: true,
  idempotencyKeys: true,
  bodyLimitBytes: () => bodyLimitBytes,
  admit: (request) => {
    request.app = authenticate(request, apps);
  },
});

function authenticate({ headers }: FastifyRequest, apps: Apps): App {
  const app = headers.authorization && apps.bySecretKey(headers.authorization);
  if (app) return app;
  throw new ApiError('INVALID_API_KEY', 'Authorization must be a valid secret key of an app, without any prefix.');
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The app whose secret key was presented; null outside the REST API. */
    app: App | null;
  }
}
