import { createHmac, createSecretKey, timingSafeEqual, type KeyObject } from 'node:crypto';
import { decodeClaims, encodeClaims } from './claims-codec.ts';
import type { SessionClaims } from './session-claims.ts';

/** A signing key. `id` is 0 to 255 and is written into every token that it signs; `secret` has 32 bytes or more. */
export interface SigningKey {
  readonly id: number;
  readonly secret: Buffer;
}

export type Verification =
  | { readonly ok: true; readonly claims: SessionClaims }
  | { readonly ok: false; readonly fault: 'invalid' | 'unsupported-version' };

/** Bytes that every version of the token has: version and key id in front, the tag at the end. */
const headLength = 2;
const tagLength = 32;
const version = 1;
const maxCharacters = 4_096;

const invalid = { ok: false, fault: 'invalid' } as const;
const unsupportedVersion = { ok: false, fault: 'unsupported-version' } as const;

/**
 * Makes and reads `paywallSessionId`: the base64url text of version, key id, claims and an HMAC-SHA256 tag
 * over all before it. 228 characters.
 */
export class SessionTokens {
  readonly #signing: { readonly id: number; readonly secret: KeyObject };
  /** Made once: a tag by a key object takes a fifth of the time that one by its bytes takes. */
  readonly #secrets: ReadonlyMap<number, readonly KeyObject[]>;

  /**
   * @param keys the first signs, all verify: to change keys, put the new one first and drop the old one
   * when no token of it is wanted any more. Keys may share an id: then each of them is tried.
   * @throws RangeError if there is no key, or one is unfit
   */
  constructor(keys: readonly SigningKey[]) {
    const [signing] = keys;
    if (signing === undefined) throw new RangeError('A token needs a key.');
    if (keys.some(({ id }) => !Number.isInteger(id) || id < 0 || id > 255)) throw new RangeError('A key id is a byte.');
    if (keys.some(({ secret }) => secret.length < 32)) throw new RangeError('A key has 32 bytes or more.');
    const made = keys.map(({ id, secret }) => ({ id, secret: createSecretKey(secret) }));
    this.#signing = made[0]!;
    this.#secrets = new Map(
      made.map(({ id }) => [id, made.filter((key) => key.id === id).map(({ secret }) => secret)]),
    );
  }

  /** @throws RangeError if a claim does not fit (see encodeClaims) */
  issue(claims: SessionClaims): string {
    const { id, secret } = this.#signing;
    const signed = Buffer.concat([Buffer.from([version, id]), encodeClaims(claims)]);
    return Buffer.concat([signed, tagOf(signed, secret)]).toString('base64url');
  }

  /**
   * The claims of a token that one of the keys signed, spelt exactly as it was issued. Nothing of the token
   * is believed before its signature: 'unsupported-version' is a well-signed token of another version.
   */
  verify(token: string): Verification {
    if (token.length > maxCharacters) return invalid;
    const bytes = Buffer.from(token, 'base64url');
    if (bytes.length < headLength + tagLength || bytes.toString('base64url') !== token) return invalid;
    const secrets = this.#secrets.get(bytes.readUInt8(1)) ?? [];
    const signed = bytes.subarray(0, -tagLength);
    const tag = bytes.subarray(-tagLength);
    if (!secrets.some((secret) => timingSafeEqual(tagOf(signed, secret), tag))) return invalid;
    if (signed.readUInt8(0) !== version) return unsupportedVersion;
    const claims = decodeClaims(signed.subarray(headLength));
    return claims === null ? invalid : { ok: true, claims };
  }
}

const tagOf = (bytes: Buffer, secret: KeyObject) => createHmac('sha256', secret).update(bytes).digest();
