import { verify, type KeyObject } from 'node:crypto';

/** Of each of the two numbers that a signature consists of (RFC 7518, 3.4). */
const numberBytes = 32;

/**
 * Whether the key has signed it by ES256. OpenSSL takes the signature in DER: with Node's own translation, a verification
 * takes half as long again.
 */
export const isSignedByEs256 = (signed: Buffer, signature: Buffer, key: KeyObject): boolean =>
  signature.length === 2 * numberBytes && verify('sha256', signed, key, derOf(signature));

const derOf = (signature: Buffer): Buffer =>
  tagged(0x30, Buffer.concat([signature.subarray(0, numberBytes), signature.subarray(numberBytes)].map(integerOf)));

/** Without zeros in front, but with one where it would be negative otherwise. */
function integerOf(number: Buffer): Buffer {
  const start = number.findIndex((byte) => byte !== 0);
  const digits = number.subarray(start < 0 ? -1 : start);
  return tagged(0x02, digits[0]! < 0x80 ? digits : Buffer.concat([Buffer.of(0), digits]));
}

const tagged = (tag: number, content: Buffer): Buffer => Buffer.concat([Buffer.of(tag, content.length), content]);
