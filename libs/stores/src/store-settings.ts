import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { ConfigurationError, webAddress, webAddressFault, type ConfigurationFault } from '@paywright/platform';
import { z } from 'zod';
import { appStoreDefaults, type AppStoreSettings } from './app-store/app-store-settings.ts';
import { appleRootCertificates } from './app-store/apple-root-certificates.ts';
import { googleTokenUri } from './play-store/play-credentials.ts';
import { googleKeysUrl } from './play-store/play-push-token.ts';
import type { PlayStoreOptions } from './play-store/play-store.ts';

const entriesOf = (list: string) => list.split(',').map((entry) => entry.trim());

/** Variables of a process that talks to the stores. A shape: spread it into a `z.object`. */
export const storesConfig = {
  APPSTORE_API_BASE: webAddress
    .default(appStoreDefaults.baseUrls.production)
    .describe('The App Store Server API of production'),
  APPSTORE_API_BASE_SANDBOX: webAddress
    .default(appStoreDefaults.baseUrls.sandbox)
    .describe('The App Store Server API of the sandbox'),
  APPSTORE_ROOT_CERTS: z
    .string()
    .optional()
    .describe('Files of the root certificates that sign for the App Store, DER or PEM, comma separated; else Apple’s'),
  APPSTORE_ONLINE_CHECKS: z
    .stringbool('must be true or false')
    .default(appStoreDefaults.onlineChecks)
    .describe('Whether the issuers of the App Store’s certificates are asked if they are revoked'),
  PLAY_API_BASE: webAddress.default('https://androidpublisher.googleapis.com').describe('The API of Google Play'),
  GOOGLE_TOKEN_URIS: z
    .string()
    .default(googleTokenUri)
    .refine(
      (list) => entriesOf(list).every((entry) => webAddressFault(entry) === null),
      'must be addresses such as https://host:port, comma separated',
    )
    .describe('Token endpoints that the key file of a service account may name, comma separated'),
  GOOGLE_OIDC_JWKS_URL: webAddress
    .default(googleKeysUrl)
    .describe('The keys that Google signs its notifications’ tokens with'),
  STRIPE_API_BASE: webAddress.default('https://api.stripe.com').describe('The API of Stripe; its host and port count'),
};

/** Also reads `NODE_ENV`, of serviceConfig. */
export type StoresConfig = z.output<z.ZodObject<typeof storesConfig>> & { readonly NODE_ENV: string };

/** Where the stores are and what their signatures are verified against: for all apps of a process. */
export interface StoreSettings {
  readonly appStore: AppStoreSettings;
  readonly playStore: Pick<PlayStoreOptions, 'baseUrl' | 'tokenUris' | 'timeoutMs' | 'retryDelaysMs'>;
  readonly stripe: { readonly baseUrl: string; readonly timeoutMs: number };
  /** For `googleKeys`. */
  readonly googleKeys: { readonly url: string; readonly timeoutMs: number };
}

/** The longest that one call on a store is waited for. */
const callTimeoutMs = 5_000;

/**
 * The settings that the variables make; the certificates are read.
 * @throws ConfigurationError that names each variable whose files cannot be read as certificates and, with
 * NODE_ENV=production, each that sends secrets in the clear or believes other signers than Apple
 */
export function storeSettings(config: StoresConfig): StoreSettings {
  const roots = rootCertificates(config.APPSTORE_ROOT_CERTS);
  const faults = [
    ...certificateFaults(roots),
    ...(config.NODE_ENV === 'production' ? productionFaults(config, roots) : []),
  ];
  if (roots === null || faults.length > 0) throw new ConfigurationError(faults);
  const timeoutMs = callTimeoutMs;
  const { APPSTORE_API_BASE: production, APPSTORE_API_BASE_SANDBOX: sandbox } = config;
  return {
    appStore: {
      baseUrls: { production: withoutSlash(production), sandbox: withoutSlash(sandbox) },
      rootCertificates: roots,
      onlineChecks: config.APPSTORE_ONLINE_CHECKS,
      graceMs: appStoreDefaults.graceMs,
    },
    playStore: {
      baseUrl: withoutSlash(config.PLAY_API_BASE),
      tokenUris: entriesOf(config.GOOGLE_TOKEN_URIS),
      timeoutMs,
    },
    stripe: { baseUrl: withoutSlash(config.STRIPE_API_BASE), timeoutMs },
    googleKeys: { url: config.GOOGLE_OIDC_JWKS_URL, timeoutMs },
  };
}

const withoutSlash = (text: string) => text.replace(/\/+$/, '');

/** In DER; null if a file cannot be read as a certificate. */
function rootCertificates(files: string | undefined): readonly Buffer[] | null {
  if (files === undefined) return appleRootCertificates;
  try {
    return entriesOf(files).map((file) => new X509Certificate(readFileSync(file)).raw);
  } catch {
    return null;
  }
}

const certificateFaults = (roots: readonly Buffer[] | null): ConfigurationFault[] =>
  roots === null
    ? [{ variable: 'APPSTORE_ROOT_CERTS', problem: 'names a file that cannot be read as a certificate' }]
    : [];

const addresses = [
  'APPSTORE_API_BASE',
  'APPSTORE_API_BASE_SANDBOX',
  'PLAY_API_BASE',
  'GOOGLE_TOKEN_URIS',
  'GOOGLE_OIDC_JWKS_URL',
  'STRIPE_API_BASE',
] as const;

function productionFaults(config: StoresConfig, roots: readonly Buffer[] | null): ConfigurationFault[] {
  const inTheClear = addresses
    .filter((variable) => entriesOf(config[variable]).some((entry) => /^http:/i.test(entry)))
    .map((variable) => ({ variable, problem: 'must be https with NODE_ENV=production' }));
  const isApples = (root: Buffer) => appleRootCertificates.some((known) => known.equals(root));
  if (roots === null || roots.every(isApples)) return inTheClear;
  return [...inTheClear, { variable: 'APPSTORE_ROOT_CERTS', problem: 'must be Apple’s own with NODE_ENV=production' }];
}
