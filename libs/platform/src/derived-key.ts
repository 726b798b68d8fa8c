import { hkdfSync } from 'node:crypto';

/**
 * 32 bytes for one purpose out of the master key, by HKDF-SHA256: knowing one derived key tells nothing of
 * another. The purpose is part of the key and never changes.
 */
export function deriveKey(masterKey: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', masterKey, 'paywright', purpose, 32));
}
