import type { FastifyRequest } from 'fastify';
import { keyBeginnings, kindOfKey } from '../catalog/api-key.ts';
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
  bodyFieldsOf: () => null,
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
  throw new ApiError('INVALID_API_KEY', `Authorization ${faultOf(key, request)}.`);
}

/** What is to be mended, by the form of what was sent: an unknown key is told nothing that a revoked one is not. */
function faultOf(key: string | undefined, { headers }: FastifyRequest): string {
  if (!headers.authorization) return 'must be given: the secret key of an app, and nothing else';
  if (key === undefined) return 'must be given once';
  if (/\s/.test(key)) return 'must be the secret key alone, without Bearer or any other word before it';
  const kind = kindOfKey(key);
  const due = `must be a secret key, which begins with ${keyBeginnings.secret}`;
  if (kind === 'public') return `${due}: a public key opens nothing here`;
  if (kind === null) return `${due}: an admin token opens the admin API alone`;
  return 'has no valid secret key: it is not as it was issued, or was revoked, or belongs to another installation';
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The app whose secret key was presented; null outside the REST API. */
    app: App | null;
  }
}
