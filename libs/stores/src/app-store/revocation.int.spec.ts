import { X509Certificate } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { ManualClock } from '@paywright/platform';
import { makeAppStoreChain, type AppStoreChain } from '../testing/app-store-certificates.ts';
import { exampleApp, notificationPayload } from '../testing/app-store-payloads.ts';
import { AppStorePki } from '../testing/app-store-pki.ts';
import type { CertificateStatus } from '../testing/ocsp-answer.ts';
import { OcspResponder } from '../testing/ocsp-responder.ts';
import { appStoreDefaults } from './app-store-settings.ts';
import { AppStore } from './app-store.ts';
import { credentials, inTime, noon } from './testing/app-store-world.ts';

let issuer: OcspResponder;
let clock: ManualClock;
beforeEach(async () => {
  issuer = await OcspResponder.start();
  clock = new ManualClock(noon);
});
afterEach(() => issuer.stop());

/** A store that asks whether certificates are revoked, and is told of a test notification under a chain. */
function notifiedStore(chain: AppStoreChain) {
  const pki = new AppStorePki(chain);
  const settings = { ...appStoreDefaults, rootCertificates: [pki.rootCertificate], onlineChecks: true };
  const store = new AppStore({ ...exampleApp, ...credentials }, settings, clock);
  return () =>
    store.readNotification(JSON.stringify({ signedPayload: pki.sign(notificationPayload(noon, 'TEST')) }), inTime());
}

async function chainOf(issuer: OcspResponder, options = {}): Promise<AppStoreChain> {
  const chain = await makeAppStoreChain({ ocspUrl: issuer.url, ...options });
  issuer.signers = chain.ocspSigners ?? [];
  return chain;
}

const serialOf = (base64: string) => new X509Certificate(Buffer.from(base64, 'base64')).serialNumber;
const refused = { name: 'StoreFault', kind: 'notification-unauthorized' };

it('believes a chain of which the issuers say that it is good', async () => {
  const chain = await chainOf(issuer);
  const notify = notifiedStore(chain);
  await expect(notify()).resolves.toMatchObject({ type: 'TEST' });
  expect(issuer.asked.toSorted()).toEqual([chain.leaf, chain.intermediate].map(serialOf).toSorted());
});

it.each<[CertificateStatus, 'leaf' | 'intermediate']>([
  ['revoked', 'leaf'],
  ['revoked', 'intermediate'],
  ['unknown', 'leaf'],
])('refuses what a chain signs with a %s %s', async (status, certificate) => {
  const chain = await chainOf(issuer);
  issuer.statuses.set(serialOf(chain[certificate]), status);
  const notify = notifiedStore(chain);
  await expect(notify()).rejects.toMatchObject(refused);
});

it('finds within a quarter of an hour that a certificate was revoked', async () => {
  const chain = await chainOf(issuer);
  const notify = notifiedStore(chain);
  await notify();
  issuer.statuses.set(serialOf(chain.leaf), 'revoked');
  clock.advance(15 * 60_000);
  await expect(notify()).rejects.toMatchObject(refused);
});

it('does not believe an answer whose time has passed', async () => {
  issuer.nextUpdate = new Date(Date.UTC(2021, 0));
  const notify = notifiedStore(await chainOf(issuer));
  await expect(notify()).rejects.toMatchObject(refused);
});

it('does not believe one who was not named for it, nor the one of another chain', async () => {
  const notify = notifiedStore(await chainOf(issuer, { ocspSignerIsMarked: false }));
  await expect(notify()).rejects.toMatchObject(refused);
  const chain = await chainOf(issuer);
  const others = (await makeAppStoreChain({ ocspUrl: issuer.url })).ocspSigners ?? [];
  issuer.signers = issuer.signers.map(({ issuer }, n) => ({ ...others[n]!, issuer }));
  await expect(notifiedStore(chain)()).rejects.toMatchObject(refused);
});

it('holds back what it got no word on', async () => {
  const notify = notifiedStore(await chainOf(issuer));
  issuer.signers = [];
  await expect(notify()).rejects.toMatchObject({ name: 'StoreFault', kind: 'unavailable' });
});
