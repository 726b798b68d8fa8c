import type { App, Apps } from '../../catalog/apps.ts';
import { ApiError } from '../../http/api-error.ts';

/**
 * The app that a path names.
 * @param appId as in the path: any text
 * @throws ApiError APP_NOT_FOUND
 */
export function findApp(apps: Apps, appId: string): App {
  const app = /^[1-9]\d{0,9}$/.test(appId) ? apps.find(Number(appId)) : undefined;
  if (app === undefined) throw new ApiError('APP_NOT_FOUND', 'appId names no app.');
  return app;
}
