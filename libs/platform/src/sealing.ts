import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { deriveKey } from './derived-key.ts';

const algorithm = 'aes-256-gcm';
const version = 's1';
const nonceBytes = 12;
const tagBytes = 16;

/** A sealed text cannot be opened: another master key or purpose, another context, or not one of ours. */
export class CannotUnseal extends Error {
  override readonly name = 'CannotUnseal';
}

/**
 * Encrypts texts that must be kept but not be read where they lie, by AES-256-GCM under a key derived of the master
 * key for one purpose. `context` says what the text belongs to: it opens only with the same context, so that a
 * sealed text moved to another row or message is refused.
 * A sealed text is `s1.<nonce, cipher text and tag in base64url>`.
 */
export class Sealing {
  readonly #key: KeyObject;
  readonly #formerKeys: readonly KeyObject[];

  /** @param formerKeys master keys that still open what they sealed; nothing is sealed with them any more */
  constructor(masterKey: string, purpose: string, formerKeys: readonly string[] = []) {
    // Key objects, since ciphers take a third of the time with one.
    const keyOf = (key: string) => createSecretKey(deriveKey(key, purpose));
    this.#key = keyOf(masterKey);
    this.#formerKeys = formerKeys.map(keyOf);
  }

  seal(text: string, context: string): string {
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv(algorithm, this.#key, nonce).setAAD(Buffer.from(context));
    const sealed = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return `${version}.${sealed.toString('base64url')}`;
  }

  /** @throws CannotUnseal */
  open(sealed: string, context: string): string {
    const bytes = bytesOf(sealed);
    const text = opened(bytes, context, this.#key) ?? this.#openedByFormer(bytes, context);
    if (text === null) throw new CannotUnseal('The text was sealed with another key, or for something else.');
    return text;
  }

  /**
   * The same text, sealed with the newest key; null if it is already.
   * @throws CannotUnseal
   */
  resealed(sealed: string, context: string): string | null {
    const isNewest = opened(bytesOf(sealed), context, this.#key) !== null;
    return isNewest ? null : this.seal(this.open(sealed, context), context);
  }

  #openedByFormer(bytes: Buffer, context: string): string | null {
    for (const key of this.#formerKeys) {
      const text = opened(bytes, context, key);
      if (text !== null) return text;
    }
    return null;
  }
}

/** @throws CannotUnseal if it is no sealed text */
function bytesOf(sealed: string): Buffer {
  const [found, encoded = ''] = sealed.split('.');
  const bytes = Buffer.from(encoded, 'base64url');
  if (found !== version || bytes.length < nonceBytes + tagBytes) throw new CannotUnseal('This is no sealed text.');
  return bytes;
}

/** Null: the key did not seal it, or not for this. */
function opened(bytes: Buffer, context: string, key: KeyObject): string | null {
  const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes })
    .setAAD(Buffer.from(context))
    .setAuthTag(bytes.subarray(-tagBytes));
  try {
    return decipher.update(bytes.subarray(nonceBytes, -tagBytes), undefined, 'utf8') + decipher.final('utf8');
  } catch {
    return null;
  }
}
