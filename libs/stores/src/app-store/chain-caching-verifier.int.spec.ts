import { beforeAll, describe, expect, it } from '@jest/globals';
import { Environment } from '@apple/app-store-server-library';
import { ManualClock } from '@paywright/platform';
import { makeAppStoreChain } from '../testing/app-store-certificates.ts';
import { exampleApp, notificationPayload, transactionPayload } from '../testing/app-store-payloads.ts';
import { AppStorePki } from '../testing/app-store-pki.ts';
import { LoopbackServer, type AnswerFault } from '../testing/loopback-server.ts';
import { appStoreDefaults } from './app-store-settings.ts';
import { AppStore } from './app-store.ts';
import { ChainCachingVerifier } from './chain-caching-verifier.ts';
import { credentials, inTime, noon } from './testing/app-store-world.ts';

/** Counts the questions to the certificates' issuer, and answers them with good. */
class CountingVerifier extends ChainCachingVerifier {
  questions = 0;

  protected override async checkOCSPStatus(): Promise<void> {
    this.questions++;
  }
}

const clock = new ManualClock(noon);
const verifierOf = (pkis: readonly AppStorePki[], onlineChecks: boolean) =>
  new CountingVerifier(
    exampleApp,
    Environment.PRODUCTION,
    { rootCertificates: pkis.map(({ rootCertificate }) => rootCertificate), onlineChecks },
    clock,
  );
const signedBy = (pki: AppStorePki) => pki.sign(transactionPayload(noon));

let pkis: AppStorePki[];
beforeAll(async () => {
  pkis = await Promise.all(Array.from({ length: 40 }, () => AppStorePki.create({ ocspUrl: 'http://127.0.0.1:9/' })));
});

describe.each([true, false])('with online checks %s', (onlineChecks) => {
  it('verifies more chains than it keeps, one by one and at once', async () => {
    const verifier = verifierOf(pkis, onlineChecks);
    for (const pki of pkis) await verifier.verifyAndDecodeTransaction(signedBy(pki));
    await Promise.all(pkis.map((pki) => verifier.verifyAndDecodeTransaction(signedBy(pki))));
    expect(verifier.questions > 0).toBe(onlineChecks);
  });
});

it('asks about a leaf and its intermediate again after a quarter of an hour, not before', async () => {
  const verifier = verifierOf(pkis.slice(0, 1), true);
  const jws = signedBy(pkis[0]!);
  for (const passedMs of [0, 1, 899_998]) {
    clock.advance(passedMs);
    await verifier.verifyAndDecodeTransaction(jws);
  }
  expect(verifier.questions).toBe(2);
  clock.advance(1);
  await verifier.verifyAndDecodeTransaction(jws);
  expect(verifier.questions).toBe(4);
});

it('judges a chain by the clock that is handed in, with online checks', async () => {
  const ending = new AppStorePki(
    await makeAppStoreChain({ validTo: noon + 86_400_000, ocspUrl: 'http://127.0.0.1:9/' }),
  );
  const verifier = verifierOf([ending], true);
  clock.set(noon);
  await expect(verifier.verifyAndDecodeTransaction(signedBy(ending))).resolves.toBeDefined();
  clock.set(noon + 3 * 86_400_000);
  await expect(verifier.verifyAndDecodeTransaction(signedBy(ending))).rejects.toMatchObject({ status: 6 });
});

describe('an issuer that does not answer', () => {
  it.each<AnswerFault>(['reset', 'broken', 'html', 'garbage', 'slow'])(
    'holds a notification back: %s',
    async (kind) => {
      const issuer = await LoopbackServer.start(() => ({ status: 404, body: {} }));
      issuer.faults.push({ kind }, { kind });
      const pki = await AppStorePki.create({ ocspUrl: issuer.url });
      const settings = { ...appStoreDefaults, rootCertificates: [pki.rootCertificate], onlineChecks: true };
      const store = new AppStore({ ...exampleApp, ...credentials }, settings, new ManualClock(noon));
      const body = JSON.stringify({ signedPayload: pki.sign(notificationPayload(noon, 'TEST')) });
      try {
        const read = store.readNotification(body, kind === 'slow' ? AbortSignal.timeout(500) : inTime());
        await expect(read).rejects.toMatchObject({ name: 'StoreFault', kind: 'unavailable' });
        expect(issuer.calls.length).toBeGreaterThan(0);
      } finally {
        await issuer.stop();
      }
    },
  );
});
