import type { KeyObject } from 'node:crypto';
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, it } from '@jest/globals';
import { Environment } from '@apple/app-store-server-library';
import { ManualClock } from '@paywright/platform';
import { exampleApp } from '../testing/app-store-payloads.ts';
import { appleRootCertificates } from './apple-root-certificates.ts';
import { ChainCachingVerifier } from './chain-caching-verifier.ts';

/** The chains that Apple's own tests are written with, from the tests that its package ships. */
const published = readFileSync(
  createRequire(import.meta.url).resolve(
    '@apple/app-store-server-library/dist/tests/unit-tests/jws_verification.test.js',
  ),
  'utf8',
);
const certificate = (name: string) => {
  const [, base64] = new RegExp(`const ${name}_BASE64_ENCODED = "([^"]+)"`).exec(published) ?? [];
  if (base64 === undefined) throw new Error(`Apple's tests have no ${name} any more.`);
  return Buffer.from(base64, 'base64');
};
/** The moment for which those tests judge the chains. */
const then = 1_761_962_975_000;

class OpenVerifier extends ChainCachingVerifier {
  constructor(...rootCertificates: Buffer[]) {
    super(exampleApp, Environment.PRODUCTION, { rootCertificates, onlineChecks: false }, new ManualClock(then));
  }

  keyOf(leaf: string, intermediate: string, at = then): Promise<KeyObject> {
    const [first, second] = [leaf, intermediate].map((name) => new X509Certificate(certificate(name)));
    return this.verifyCertificateChain(this.rootCertificates, first!, second!, new Date(at));
  }
}

describe('Apple’s real chain', () => {
  const [leaf, intermediate] = ['REAL_APPLE_SIGNING_CERTIFICATE', 'REAL_APPLE_INTERMEDIATE'] as const;

  it('is trusted by the root that we ship', async () => {
    const key = await new OpenVerifier(...appleRootCertificates).keyOf(leaf, intermediate);
    expect(key.asymmetricKeyType).toBe('ec');
  });

  it('is not trusted by another root, before it began or after it ended', async () => {
    await expect(new OpenVerifier(certificate('ROOT_CA')).keyOf(leaf, intermediate)).rejects.toMatchObject({
      status: 1,
    });
    const verifier = new OpenVerifier(...appleRootCertificates);
    await verifier.keyOf(leaf, intermediate);
    for (const at of [Date.UTC(2025, 0), Date.UTC(2028, 0)])
      await expect(verifier.keyOf(leaf, intermediate, at)).rejects.toMatchObject({ status: 6 });
  });
});

describe('the chains of Apple’s tests', () => {
  const verifier = new OpenVerifier(certificate('ROOT_CA'));

  it('are trusted if they are whole', async () => {
    const key = await verifier.keyOf('LEAF_CERT', 'INTERMEDIATE_CA');
    const expected = certificate('LEAF_CERT_PUBLIC_KEY').toString('base64');
    expect(key.export({ type: 'spki', format: 'der' }).toString('base64')).toBe(expected);
  });

  it.each([
    ['LEAF_CERT_INVALID_OID', 'INTERMEDIATE_CA'],
    ['LEAF_CERT_FOR_INTERMEDIATE_CA_INVALID_OID', 'INTERMEDIATE_CA_INVALID_OID'],
    ['LEAF_CERT', 'INTERMEDIATE_CA_INVALID_OID'],
    ['INTERMEDIATE_CA', 'LEAF_CERT'],
  ])('%s under %s is not', async (leaf, intermediate) => {
    await expect(verifier.keyOf(leaf, intermediate)).rejects.toMatchObject({ status: 1 });
  });
});
