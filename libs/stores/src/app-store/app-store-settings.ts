import type { PurchaseEnvironment } from '@paywright/contracts';
import type { AppStoreCredentials } from './app-store-credentials.ts';

export interface VerifierSettings {
  /** Apple's roots, or a simulator's; DER or PEM. */
  readonly rootCertificates: readonly Buffer[];
  /** Asks the certificates' issuers whether they are revoked (OCSP), and judges their dates by the clock. */
  readonly onlineChecks: boolean;
}

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
