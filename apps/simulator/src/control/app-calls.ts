import { z } from 'zod';
import { bodyOf, ok, type Answer, type Call } from '../http/call.ts';
import { credentialsOf, newApp, SimulatedProduct } from '../state/simulated-app.ts';
import type { SimulatorState } from '../state/simulator-state.ts';
import { storeId } from './fields.ts';

const Registration = z.strictObject({
  appId: z.int().positive(),
  bundleId: storeId,
  packageName: storeId,
  gateway: z
    .url({ protocol: /^https?$/ })
    .transform((url) => url.replace(/\/$/, ''))
    .nullish(),
  products: z.array(SimulatedProduct).max(10_000).optional(),
});

/** The calls on apps. */
export function appCalls(state: SimulatorState, url: string) {
  return {
    /** An app that is known keeps its keys. */
    register: (call: Call): Answer => {
      const { appId, bundleId, packageName, gateway, products } = bodyOf(call, Registration);
      const known = state.apps.get(appId);
      const registration = {
        appId,
        bundleId,
        packageName,
        gateway: gateway ?? null,
        products: products ?? known?.products ?? [],
      };
      const app = known ? { ...known, ...registration } : newApp(registration);
      state.putApp(app);
      return ok(credentialsOf(app, url));
    },
    list: (): Answer =>
      ok({
        apps: [...state.apps.values()].map(({ appId, bundleId, packageName, gateway }) => ({
          appId,
          bundleId,
          packageName,
          gateway,
        })),
      }),
  };
}
