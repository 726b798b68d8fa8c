import { createPrivateKey } from 'node:crypto';
import { z } from 'zod';

/** Whether a private key can sign what the App Store Server API asks for: P-256, in PEM. */
export function canSign(privateKey: string): boolean {
  try {
    return createPrivateKey(privateKey).asymmetricKeyDetails?.namedCurve === 'prime256v1';
  } catch {
    return false;
  }
}

/**
 * An app's key of the App Store Server API, and the number that App Store Connect gave the app.
 * Secret: `privateKey`, the text of the .p8 file.
 */
export const AppStoreCredentials = z.object({
  issuerId: z.string().min(1).max(255),
  keyId: z.string().min(1).max(255),
  privateKey: z.string().max(4096).refine(canSign, 'is no P-256 private key in PEM'),
  appAppleId: z.int().positive(),
});
export type AppStoreCredentials = z.output<typeof AppStoreCredentials>;
