import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ConfigurationError, describeConfig, loadConfig, serviceConfig } from '@paywright/platform';
import { z } from 'zod';
import { appleRootCertificates } from './app-store/apple-root-certificates.ts';
import { storesConfig, storeSettings } from './store-settings.ts';
import { AppStorePki } from './testing/index.ts';

const schema = z.object({ ...serviceConfig, ...storesConfig });
const settingsOf = (env: NodeJS.ProcessEnv) => storeSettings(loadConfig(schema, env));

function faultsOf(env: NodeJS.ProcessEnv): Record<string, string> {
  try {
    settingsOf(env);
    return {};
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return Object.fromEntries(error.faults.map(({ variable, problem }) => [variable, problem]));
  }
}

const pem = (der: Buffer) =>
  `-----BEGIN CERTIFICATE-----\n${der.toString('base64').replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`;

let folder: string;
let root: Buffer;
const file = (name: string, content: string | Buffer) => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'store-settings-'));
  root = (await AppStorePki.create()).rootCertificate;
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('the settings of the stores', () => {
  it('are the stores’ own, in production too', () => {
    const settings = settingsOf({ NODE_ENV: 'production' });
    expect(settings).toMatchObject({
      appStore: {
        baseUrls: {
          production: 'https://api.storekit.apple.com',
          sandbox: 'https://api.storekit-sandbox.apple.com',
        },
        rootCertificates: appleRootCertificates,
        onlineChecks: false,
      },
      playStore: {
        baseUrl: 'https://androidpublisher.googleapis.com',
        tokenUris: ['https://oauth2.googleapis.com/token'],
      },
      stripe: { baseUrl: 'https://api.stripe.com' },
      googleKeys: { url: 'https://www.googleapis.com/oauth2/v3/certs' },
    });
  });

  it('are those of what stands in for a store', () => {
    const settings = settingsOf({
      APPSTORE_API_BASE: 'http://127.0.0.1:1/production/',
      APPSTORE_API_BASE_SANDBOX: 'http://127.0.0.1:1/sandbox',
      APPSTORE_ONLINE_CHECKS: 'true',
      PLAY_API_BASE: 'http://127.0.0.1:2/',
      GOOGLE_TOKEN_URIS: 'http://127.0.0.1:2/token, https://oauth2.googleapis.com/token',
      GOOGLE_OIDC_JWKS_URL: 'http://127.0.0.1:2/certs',
      STRIPE_API_BASE: 'http://127.0.0.1:3',
    });
    expect(settings).toMatchObject({
      appStore: {
        baseUrls: { production: 'http://127.0.0.1:1/production', sandbox: 'http://127.0.0.1:1/sandbox' },
        onlineChecks: true,
      },
      playStore: {
        baseUrl: 'http://127.0.0.1:2',
        tokenUris: ['http://127.0.0.1:2/token', 'https://oauth2.googleapis.com/token'],
      },
      stripe: { baseUrl: 'http://127.0.0.1:3' },
      googleKeys: { url: 'http://127.0.0.1:2/certs' },
    });
  });

  it('take root certificates in DER and in PEM', () => {
    const files = [file('root.der', root), file('root.pem', pem(root))].join(', ');
    expect(settingsOf({ APPSTORE_ROOT_CERTS: files }).appStore.rootCertificates).toEqual([root, root]);
  });

  it.each([
    ['APPSTORE_API_BASE', 'api.storekit.apple.com'],
    ['APPSTORE_API_BASE_SANDBOX', 'ftp://host'],
    ['PLAY_API_BASE', 'https://'],
    ['GOOGLE_OIDC_JWKS_URL', 'https://a b'],
    ['GOOGLE_TOKEN_URIS', 'https://oauth2.googleapis.com/token,'],
    ['STRIPE_API_BASE', 'http://host:port'],
    ['APPSTORE_ONLINE_CHECKS', 'perhaps'],
    ['APPSTORE_ROOT_CERTS', '/nowhere/root.der'],
  ])('name %s when it is %s', (variable, value) => {
    expect(Object.keys(faultsOf({ [variable]: value }))).toEqual([variable]);
  });

  it('name a file that holds no certificate', () => {
    expect(faultsOf({ APPSTORE_ROOT_CERTS: file('none.pem', 'none') })).toEqual({
      APPSTORE_ROOT_CERTS: 'names a file that cannot be read as a certificate',
    });
  });
});

describe('in production', () => {
  const production = (env: NodeJS.ProcessEnv) => faultsOf({ NODE_ENV: 'production', ...env });

  it.each([
    'APPSTORE_API_BASE',
    'APPSTORE_API_BASE_SANDBOX',
    'PLAY_API_BASE',
    'GOOGLE_OIDC_JWKS_URL',
    'STRIPE_API_BASE',
    'GOOGLE_TOKEN_URIS',
  ])('%s must be https', (variable) => {
    expect(production({ [variable]: 'HTTP://host' })).toEqual({
      [variable]: 'must be https with NODE_ENV=production',
    });
    expect(production({ [variable]: 'https://host' })).toEqual({});
    expect(faultsOf({ [variable]: 'HTTP://host' })).toEqual({});
  });

  it('one plain token endpoint among others is refused', () => {
    expect(production({ GOOGLE_TOKEN_URIS: 'https://oauth2.googleapis.com/token, http://host/token' })).toEqual({
      GOOGLE_TOKEN_URIS: 'must be https with NODE_ENV=production',
    });
  });

  it('nobody but Apple signs for the App Store', () => {
    const [apple = Buffer.of()] = appleRootCertificates;
    const apples = file('apple.pem', pem(apple));
    expect(production({ APPSTORE_ROOT_CERTS: apples })).toEqual({});
    expect(production({ APPSTORE_ROOT_CERTS: `${apples},${file('other.der', root)}` })).toEqual({
      APPSTORE_ROOT_CERTS: 'must be Apple’s own with NODE_ENV=production',
    });
  });

  it('every fault is named at once', () => {
    expect(Object.keys(production({ STRIPE_API_BASE: 'http://host', APPSTORE_ROOT_CERTS: '/nowhere' })).sort()).toEqual(
      ['APPSTORE_ROOT_CERTS', 'STRIPE_API_BASE'],
    );
  });
});

it('can be told in the documentation', () => {
  const described = describeConfig(z.object(storesConfig));
  expect(described.filter(({ required, meaning }) => required || meaning === '')).toEqual([]);
  expect(described.map(({ name, default: byDefault }) => [name, byDefault])).toContainEqual([
    'GOOGLE_TOKEN_URIS',
    'https://oauth2.googleapis.com/token',
  ]);
});
