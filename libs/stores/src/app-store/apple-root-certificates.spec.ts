import { X509Certificate } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { appleRootCertificates } from './apple-root-certificates.ts';

it('ships the Apple Root CA - G3 that Apple publishes, by its fingerprint', () => {
  const [root] = appleRootCertificates.map((der) => new X509Certificate(der));
  expect(root!.fingerprint256.replaceAll(':', '').toLowerCase()).toBe(
    '63343abfb89a6a03ebb57e9b3f5fa7be7c4f5c756f3017b3a8c488c3653e9179',
  );
  expect(root!.subject).toContain('CN=Apple Root CA - G3');
  expect(root!.verify(root!.publicKey)).toBe(true);
});
