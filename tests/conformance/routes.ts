import { device, deviceV2 } from './bodies.ts';
import { appStorePath, appStorePurchase, playPath, playPurchase } from './purchases.ts';

/** Every route of the REST API, with a body that it takes for this profile. */
export const routes: readonly { method: string; path: string; body: (profileId: string) => unknown }[] = [
  { method: 'POST', path: '/api/v1/web-api/profiles', body: () => device },
  {
    method: 'POST',
    path: '/api/v1/web-api/profiles/custom-attributes',
    body: (profileId) => ({ profileId, custom: { key: 'goal', value: 'sleep' } }),
  },
  {
    method: 'PUT',
    path: '/api/v1/web-api/profiles/custom-attributes',
    body: (profileId) => ({ profileId, attrId: 'none', custom: { key: 'goal', value: 'focus' } }),
  },
  {
    method: 'POST',
    path: '/api/v1/web-api/profiles/custom-attributes-all',
    body: (profileId) => ({ profileId, custom: [{ key: 'goal', value: 'sleep' }] }),
  },
  {
    method: 'POST',
    path: '/api/v1/web-api/paywalls',
    body: (profileId) => ({ profileId, placementId: 'plain', store: 'stripe', country: 'DE' }),
  },
  {
    method: 'POST',
    path: '/api/v1/web-api/events',
    body: (profileId) => [{ eventType: 'opened', profileId, paywallSessionId: 'no token' }],
  },
  { method: 'POST', path: `/api/v1/web-api${appStorePath}`, body: appStorePurchase },
  { method: 'POST', path: `/api/v1/web-api${playPath}`, body: playPurchase },
  { method: 'POST', path: '/v2/profiles', body: () => deviceV2 },
  { method: 'POST', path: '/v2/paywall', body: (profileId) => ({ profileId, placementId: 'plain' }) },
  {
    method: 'POST',
    path: '/v2/custom-attributes',
    body: (profileId) => ({ profileId, custom: [{ key: 'goal', value: 'sleep' }] }),
  },
];

/** The routes by path, each with the methods that it has. */
export const methodsByPath: ReadonlyMap<string, readonly string[]> = routes.reduce(
  (known, { method, path }) => known.set(path, [...(known.get(path) ?? []), method]),
  new Map<string, string[]>(),
);
