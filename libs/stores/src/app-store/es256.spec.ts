import { generateKeyPairSync, sign, verify } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { isSignedByEs256 } from './es256.ts';

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const dsaEncoding = 'ieee-p1363';
const signed = Buffer.from('header.payload');
const signatures = Array.from({ length: 1_000 }, () => sign('sha256', signed, { key: privateKey, dsaEncoding }));
const isSigned = (signature: Buffer) => isSignedByEs256(signed, signature, publicKey);

describe('isSignedByEs256', () => {
  it('takes every signature of the key, also of numbers that are short or have their first bit set', () => {
    const firstBytes = signatures.flatMap((signature) => [signature[0]!, signature[32]!]);
    expect([Math.min(...firstBytes), Math.max(...firstBytes) >= 0x80]).toEqual([0, true]);
    expect(signatures.filter((signature) => !isSigned(signature))).toEqual([]);
  });

  it('takes none of another text or key', () => {
    const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey;
    for (const signature of signatures.slice(0, 20)) {
      expect(isSignedByEs256(Buffer.from('header.dearer'), signature, publicKey)).toBe(false);
      expect(isSignedByEs256(signed, signature, other)).toBe(false);
    }
  });

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['zeros', Buffer.alloc(64)],
    ['ones', Buffer.alloc(64, 0xff)],
    ['a number that is zero', Buffer.concat([signatures[0]!.subarray(0, 32), Buffer.alloc(32)])],
    ['the numbers the other way round', Buffer.concat([signatures[0]!.subarray(32), signatures[0]!.subarray(0, 32)])],
    ['a byte less', signatures[0]!.subarray(1)],
    ['a byte more', Buffer.concat([Buffer.of(0), signatures[0]!])],
    ['a signature in DER', sign('sha256', signed, privateKey)],
  ])('takes no signature that is %s, as Node takes none', (_, signature) => {
    expect(isSigned(signature)).toBe(false);
    expect(verify('sha256', signed, { key: publicKey, dsaEncoding }, signature)).toBe(false);
  });
});
