import { join } from 'node:path';
import type { ServiceAddresses } from './service.ts';

/**
 * What leads the services to the simulated stores and their clock: each variable unless it is set already, also by a file, so that
 * any stand-in for a store can be put in the simulator's place.
 */
export function simulatedStores(
  { simulator }: ServiceAddresses,
  { env, options }: { readonly env: NodeJS.ProcessEnv; readonly options: { readonly dataDir: string } },
): NodeJS.ProcessEnv {
  if (simulator === undefined) return {};
  const folder = env['SIMULATOR_DATA_DIR'] || join(options.dataDir, 'simulator');
  const variables = {
    SIMULATION_URL: simulator,
    APPSTORE_API_BASE: `${simulator}/app-store-api/production`,
    APPSTORE_API_BASE_SANDBOX: `${simulator}/app-store-api/sandbox`,
    APPSTORE_ROOT_CERTS: join(folder, 'app-store-root.der'),
    PLAY_API_BASE: simulator,
    GOOGLE_TOKEN_URIS: `${simulator}/token`,
    GOOGLE_OIDC_JWKS_URL: `${simulator}/oauth2/v3/certs`,
    STRIPE_API_BASE: simulator,
    // It takes what comes, and passes months in minutes.
    LOOK_UPS_PER_SECOND: '1000',
  };
  return Object.fromEntries(Object.entries(variables).filter(([name]) => !env[name] && !env[`${name}_FILE`]));
}
