import type { PurchaseEnvironment } from '@paywright/contracts';
import { StoreFault } from '../store-fault.ts';
import { answerOf, isTransactionId, type AppStoreAnswer } from './app-store-answer.ts';
import { AppStoreClient } from './app-store-client.ts';
import { canSign, type AppStoreCredentials } from './app-store-credentials.ts';
import type { AppStoreVerifier } from './app-store-verifier.ts';
import type { VerifierSettings } from './chain-caching-verifier.ts';
import { inOurWords, type AppStoreEnvironment } from './signed-payloads.ts';

/** What the deployment sets, and no app's owner. */
export interface AppStoreSettings extends VerifierSettings {
  /** Addresses of the App Store Server API, without a slash at the end. */
  readonly baseUrls: Readonly<Record<PurchaseEnvironment, string>>;
  /** How long a grace period counts from the period's end if the store never says when it ends. */
  readonly graceMs: number;
}

/** Apple's own addresses and checks without the network; a grace period of unknown end gets the shortest there is. */
export const appStoreDefaults = {
  baseUrls: { production: 'https://api.storekit.apple.com', sandbox: 'https://api.storekit-sandbox.apple.com' },
  onlineChecks: false,
  graceMs: 3 * 24 * 60 * 60 * 1000,
} as const;

/** An app with its credentials; the bundle id is the catalog's. */
export interface AppStoreApp extends Readonly<AppStoreCredentials> {
  readonly bundleId: string;
}

/** All that is needed to ask, and to believe, the App Store about one app. */
export interface AppStoreAccess {
  readonly app: AppStoreApp;
  readonly settings: AppStoreSettings;
  readonly verifier: AppStoreVerifier;
}

/**
 * One environment's answer about one id.
 * @throws StoreFault 'not-found' for an id that cannot exist, 'not-configured' if the key cannot sign; no call is made
 */
export async function callAppStore<T>(
  access: AppStoreAccess,
  environment: AppStoreEnvironment,
  id: string,
  signal: AbortSignal,
  call: (client: AppStoreClient) => Promise<T>,
): Promise<AppStoreAnswer<T>> {
  if (!isTransactionId(id)) throw new StoreFault('not-found', 'An App Store transaction id is 1 to 32 digits.');
  return askAppStore(access, environment, signal, call);
}

/**
 * One environment's answer.
 * @throws StoreFault 'not-configured' if the key cannot sign; no call is made
 */
export async function askAppStore<T>(
  { app, settings }: AppStoreAccess,
  environment: AppStoreEnvironment,
  signal: AbortSignal,
  call: (client: AppStoreClient) => Promise<T>,
): Promise<AppStoreAnswer<T>> {
  if (!canSign(app.privateKey)) throw new StoreFault('not-configured', 'The App Store private key cannot be used.');
  const baseUrl = settings.baseUrls[inOurWords[environment]];
  return answerOf(environment, () => call(new AppStoreClient(app.bundleId, app, baseUrl, signal)));
}
