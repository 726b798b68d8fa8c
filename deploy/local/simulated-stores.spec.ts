import { expect, it } from '@jest/globals';
import { simulatedStores } from './simulated-stores.ts';

const addresses = { management: 'http://127.0.0.1:1', simulator: 'http://127.0.0.1:2' };
const options = { dataDir: '/data' };

it('leads every store to the simulator, and every clock', () =>
  expect(simulatedStores(addresses, { env: {}, options })).toEqual({
    SIMULATION_URL: 'http://127.0.0.1:2',
    APPSTORE_API_BASE: 'http://127.0.0.1:2/app-store-api/production',
    APPSTORE_API_BASE_SANDBOX: 'http://127.0.0.1:2/app-store-api/sandbox',
    APPSTORE_ROOT_CERTS: '/data/simulator/app-store-root.der',
    PLAY_API_BASE: 'http://127.0.0.1:2',
    GOOGLE_TOKEN_URIS: 'http://127.0.0.1:2/token',
    GOOGLE_OIDC_JWKS_URL: 'http://127.0.0.1:2/oauth2/v3/certs',
    STRIPE_API_BASE: 'http://127.0.0.1:2',
    LOOK_UPS_PER_SECOND: '1000',
  }));

it('leaves what is set as it is, and takes an empty variable for none', () => {
  const set = { STRIPE_API_BASE: 'http://127.0.0.1:9', GOOGLE_TOKEN_URIS_FILE: '/token-uris' };
  const env = { ...set, PLAY_API_BASE: '', SIMULATOR_DATA_DIR: '/stores' };
  const variables = simulatedStores(addresses, { env, options });
  expect(variables).not.toHaveProperty('STRIPE_API_BASE');
  expect(variables).not.toHaveProperty('GOOGLE_TOKEN_URIS');
  expect(variables).toMatchObject({
    PLAY_API_BASE: 'http://127.0.0.1:2',
    APPSTORE_ROOT_CERTS: '/stores/app-store-root.der',
  });
});

it('says nothing where no simulator runs', () =>
  expect(simulatedStores({ management: 'http://127.0.0.1:1' }, { env: {}, options })).toEqual({}));
