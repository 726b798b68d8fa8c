import { generateKeyPairSync } from 'node:crypto';
import { ManualClock } from '@paywright/platform';
import { AppStoreApiServer } from '../../testing/app-store-api-server.ts';
import { exampleApp, renewalPayload, transactionPayload, type Fields } from '../../testing/app-store-payloads.ts';
import { AppStorePki } from '../../testing/app-store-pki.ts';
import type { AppStoreSettings } from '../app-store-settings.ts';
import { AppStore } from '../app-store.ts';

/** The clock of all tests of the App Store. */
export const noon = Date.UTC(2026, 10, 20, 12);

const { privateKey, publicKey } = generateKeyPairSync('ec', {
  namedCurve: 'P-256',
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});

export const credentials = { issuerId: 'issuer-1', keyId: 'KEY1', privateKey };

/** Both environments of the API on loopback, a chain to sign with, and the store as seen by one app. */
export async function appStoreWorld(over: Partial<AppStoreSettings> = {}) {
  const known = { bundleId: exampleApp.bundleId, issuerId: 'issuer-1', keyId: 'KEY1', publicKey };
  const [pki, production, sandbox] = await Promise.all([
    AppStorePki.create(),
    AppStoreApiServer.start(known),
    AppStoreApiServer.start(known),
  ]);
  const clock = new ManualClock(noon);
  const settings: AppStoreSettings = {
    baseUrls: { production: production.url, sandbox: sandbox.url },
    rootCertificates: [pki.rootCertificate],
    onlineChecks: false,
    graceMs: 3 * 86_400_000,
    ...over,
  };
  return {
    pki,
    production,
    sandbox,
    settings,
    store: new AppStore({ ...exampleApp, ...credentials }, settings, clock),
    /** Makes the API of the transaction's environment tell of it, and of the subscription by the same transaction. */
    sells(transaction: Fields = {}, renewal: Fields = {}, status = 1) {
      const sold = transactionPayload(noon, transaction);
      const api = sold.environment === 'Production' ? production : sandbox;
      const { environment, originalTransactionId } = sold;
      const signedTransactionInfo = pki.sign(sold);
      const signedRenewalInfo = pki.sign(renewalPayload(noon, { environment, originalTransactionId, ...renewal }));
      api.transactions.set(sold.transactionId, signedTransactionInfo);
      api.subscriptions.set(originalTransactionId, [
        { originalTransactionId, status, signedTransactionInfo, signedRenewalInfo },
      ]);
    },
    stop: () => Promise.all([production.stop(), sandbox.stop()]),
  };
}

export type AppStoreWorld = Awaited<ReturnType<typeof appStoreWorld>>;

/** The time that a request has, generous for a busy machine. */
export const inTime = () => AbortSignal.timeout(20_000);
