import { CallRefused } from '../http/call.ts';
import type { SimulatedApp } from '../state/simulated-app.ts';
import type { SimulatorState } from '../state/simulator-state.ts';

/**
 * The app that a call is about: by its id, else by its name at the store, else the first one.
 * @throws CallRefused 404 if there is none
 */
export function findApp(
  { apps }: SimulatorState,
  {
    appId,
    bundleId,
    packageName,
  }: { appId?: number | undefined; bundleId?: string | undefined; packageName?: string | undefined },
): SimulatedApp {
  const all = [...apps.values()];
  if (all.length === 0)
    throw new CallRefused(
      404,
      'NO_APP',
      'No app is registered: POST /apps {appId, bundleId, packageName, gateway} first.',
    );
  const named = all.find(
    (app) =>
      (appId === undefined || app.appId === appId) &&
      (bundleId === undefined || app.bundleId === bundleId) &&
      (packageName === undefined || app.packageName === packageName),
  );
  if (named) return named;
  const known = all.map((app) => `${app.appId} (${app.bundleId}, ${app.packageName})`).join('; ');
  throw new CallRefused(
    404,
    'UNKNOWN_APP',
    `appId, bundleId or packageName names no app that is registered. These are: ${known}.`,
  );
}
