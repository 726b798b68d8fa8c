import { createPublicKey } from 'node:crypto';
import { decodeProtectedHeader, jwtVerify } from 'jose';

/** Who may ask, by the key that App Store Connect knows. */
export interface KnownApiKey {
  readonly bundleId: string;
  readonly issuerId: string;
  readonly keyId: string;
  /** SPKI, PEM. */
  readonly publicKey: string;
}

/**
 * Whether a request's bearer is rightly signed by the key, for its app; of an hour at most, as Apple has it. By the
 * machine's clock, as the bearer is stamped by it.
 */
export async function verifyAppStoreBearer(authorization: string, key: KnownApiKey): Promise<boolean> {
  const { bundleId, issuerId, keyId, publicKey } = key;
  const bearer = authorization.replace(/^Bearer /, '');
  try {
    if (decodeProtectedHeader(bearer).kid !== keyId) return false;
    const { payload } = await jwtVerify(bearer, createPublicKey(publicKey), {
      algorithms: ['ES256'],
      issuer: issuerId,
      audience: 'appstoreconnect-v1',
      maxTokenAge: '60m',
    });
    return payload.bid === bundleId;
  } catch {
    return false;
  }
}
