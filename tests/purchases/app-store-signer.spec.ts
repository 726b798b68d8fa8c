import { Environment, SignedDataVerifier, VerificationException } from '@apple/app-store-server-library';
import { describe, expect, it } from '@jest/globals';
import { AppStoreSigner } from './app-store-signer.ts';

const der = (pem: string): Buffer => Buffer.from(pem.replace(/-----[^-]+-----|\s/g, ''), 'base64');
const verifierOf = (signer: AppStoreSigner): SignedDataVerifier =>
  new SignedDataVerifier([der(signer.rootPem)], false, Environment.PRODUCTION, 'com.example', 1234);
const transaction = (signedDate: number) => ({
  ...{ transactionId: '1', bundleId: 'com.example', environment: 'Production', signedDate },
});
const now = Date.UTC(2026, 10, 20);

/** Apple's own library is the judge: what it takes of the trusted signer must fail for each other one. */
describe('AppStoreSigner', () => {
  it('signs as Apple’s library wants it', async () => {
    const signer = await AppStoreSigner.create();
    const verified = await verifierOf(signer).verifyAndDecodeTransaction(await signer.sign(transaction(now)));
    expect(verified).toMatchObject({ transactionId: '1', bundleId: 'com.example' });
  });

  it('makes families under one root, whose expired members sign nothing new', async () => {
    const [sound, expired] = await AppStoreSigner.family([
      { from: Date.UTC(2020, 0), until: Date.UTC(2068, 0) },
      { from: Date.UTC(2020, 0), until: Date.UTC(2021, 0) },
    ]);
    const verifier = verifierOf(sound!);
    const old = await expired!.sign(transaction(Date.UTC(2020, 6)));
    expect(await verifier.verifyAndDecodeTransaction(old)).toMatchObject({ transactionId: '1' });
    const late = verifier.verifyAndDecodeTransaction(await expired!.sign(transaction(now)));
    await expect(late).rejects.toBeInstanceOf(VerificationException);
  });

  it('is refused under another root, with another header, and with another’s chain', async () => {
    const [signer, other] = [await AppStoreSigner.create(), await AppStoreSigner.create()];
    const verifier = verifierOf(signer);
    const [header] = (await signer.sign(transaction(now))).split('.');
    const { x5c } = JSON.parse(Buffer.from(header!, 'base64url').toString());
    for (const forged of [await other.sign(transaction(now)), await other.sign(transaction(now), { x5c })])
      await expect(verifier.verifyAndDecodeTransaction(forged)).rejects.toBeInstanceOf(VerificationException);
  });
});
