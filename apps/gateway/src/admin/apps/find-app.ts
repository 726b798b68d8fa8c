import type { App, Apps } from '../../catalog/apps.ts';
import { ApiError } from '../../http/api-error.ts';
import { numberInPath } from '../number-in-path.ts';

const greatestId = 2_147_483_647;

/**
 * The app that a path names.
 * @param appId as in the path: any text
 * @throws ApiError APP_NOT_FOUND
 */
export function findApp(apps: Apps, appId: string): App {
  const unknown = new ApiError('APP_NOT_FOUND', 'appId names no app.');
  const app = apps.find(numberInPath('appId', appId, greatestId, unknown));
  if (app === undefined) throw unknown;
  return app;
}
