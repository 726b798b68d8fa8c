import { StoreFault } from '../store-fault.ts';
import { answerOf, type AppStoreAnswer } from './app-store-answer.ts';
import { AppStoreClient } from './app-store-client.ts';
import type { AppStoreApp, AppStoreSettings } from './app-store-settings.ts';
import type { AppStoreVerifier } from './app-store-verifier.ts';
import type { KeptBearer } from './kept-bearer.ts';
import { inOurWords, type AppStoreEnvironment } from './signed-payloads.ts';
import { isTransactionId } from './transaction-id.ts';

/** All that is needed to ask, and to believe, the App Store about one app. */
export interface AppStoreAccess {
  readonly app: AppStoreApp;
  readonly settings: AppStoreSettings;
  readonly verifier: AppStoreVerifier;
  /** null if the private key cannot sign. */
  readonly bearer: KeptBearer | null;
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
  { app, settings, bearer }: AppStoreAccess,
  environment: AppStoreEnvironment,
  signal: AbortSignal,
  call: (client: AppStoreClient) => Promise<T>,
): Promise<AppStoreAnswer<T>> {
  if (bearer === null) throw new StoreFault('not-configured', 'The App Store private key cannot be used.');
  const baseUrl = settings.baseUrls[inOurWords[environment]];
  return answerOf(environment, () => call(new AppStoreClient(app.bundleId, app, { baseUrl, bearer, signal })));
}
