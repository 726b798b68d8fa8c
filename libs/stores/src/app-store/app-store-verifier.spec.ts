import { createHmac, X509Certificate } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { ManualClock } from '@paywright/platform';
import {
  exampleApp,
  notificationPayload,
  renewalPayload,
  transactionPayload,
  type Fields,
} from '../testing/app-store-payloads.ts';
import { AppStorePki } from '../testing/app-store-pki.ts';
import { AppStoreVerifier } from './app-store-verifier.ts';
import { noon } from './testing/app-store-world.ts';

let pki: AppStorePki;
let verifier: AppStoreVerifier;

const verifierOf = (root: AppStorePki, onlineChecks = false, now = noon) =>
  new AppStoreVerifier(exampleApp, { rootCertificates: [root.rootCertificate], onlineChecks }, new ManualClock(now));
const transaction = (fields?: Fields) => pki.sign(transactionPayload(noon, fields));
const refusal = (reason: string) => ({ name: 'Error', reason });
const believed = (jws: string) => verifier.transaction(jws, 'Production');
const json = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');

beforeAll(async () => {
  pki = await AppStorePki.create();
  verifier = verifierOf(pki);
});

describe('a transaction', () => {
  it('is believed if it is signed under our root for our app, by a chain that is kept for later too', async () => {
    await expect(believed(transaction())).resolves.toMatchObject({ transactionId: '2000', price: 9990 });
    await expect(believed(new AppStorePki(pki.chain).sign(transactionPayload(noon)))).resolves.toBeDefined();
  });

  it('may have types and reasons that are new to us', async () => {
    const strange = transaction({ type: 'Lease', offerDiscountType: 'BARTER', revocationReason: 77, extra: [1] });
    await expect(believed(strange)).resolves.toMatchObject({ type: 'Lease' });
  });

  it('is not, if it is another app’s or environment’s', async () => {
    await expect(believed(transaction({ bundleId: 'com.other' }))).rejects.toMatchObject(refusal('other-app'));
    const sandbox = transaction({ environment: 'Sandbox' });
    await expect(believed(sandbox)).rejects.toMatchObject(refusal('other-environment'));
    await expect(verifier.transaction(sandbox, 'Sandbox')).resolves.toMatchObject({ environment: 'Sandbox' });
    for (const environment of ['Xcode', 'LocalTesting'])
      await expect(believed(transaction({ environment }))).rejects.toMatchObject(refusal('other-environment'));
  });

  it('is not, if a byte of it was changed', async () => {
    const [header, payload, signature] = transaction().split('.') as [string, string, string];
    const dearer = json(transactionPayload(noon, { price: 1 }));
    await expect(believed(`${header}.${dearer}.${signature}`)).rejects.toMatchObject(refusal('forged'));
    const other = transaction({ price: 1 }).split('.')[2]!;
    await expect(believed(`${header}.${payload}.${other}`)).rejects.toMatchObject(refusal('forged'));
  });

  it('is not, if another chain signed it, with our root put at its end or not', async () => {
    const foreign = await AppStorePki.create();
    const payload = transactionPayload(noon);
    await expect(believed(foreign.sign(payload))).rejects.toMatchObject(refusal('forged'));
    const ours = { x5c: [...foreign.x5c.slice(0, 2), pki.chain.root] };
    await expect(believed(foreign.sign(payload, ours))).rejects.toMatchObject(refusal('forged'));
    await expect(believed(foreign.sign(payload, { x5c: pki.x5c }))).rejects.toMatchObject(refusal('forged'));
    const leafOfOurs = { x5c: [pki.chain.leaf, foreign.chain.intermediate, pki.chain.root] };
    await expect(believed(foreign.sign(payload, leafOfOurs))).rejects.toMatchObject(refusal('forged'));
  });

  it('is not, if it names another algorithm', async () => {
    const payload = json(transactionPayload(noon));
    const none = json({ alg: 'none', x5c: pki.x5c });
    await expect(believed(`${none}.${payload}.AA`)).rejects.toMatchObject(refusal('forged'));
    await expect(believed(`${none}.${payload}.`)).rejects.toMatchObject(refusal('malformed'));
    const hmac = `${json({ alg: 'HS256', x5c: pki.x5c })}.${payload}`;
    const leaf = new X509Certificate(Buffer.from(pki.chain.leaf, 'base64')).publicKey;
    const secret = leaf.export({ type: 'spki', format: 'pem' });
    const tag = createHmac('sha256', secret).update(hmac).digest('base64url');
    await expect(believed(`${hmac}.${tag}`)).rejects.toMatchObject(refusal('forged'));
  });

  it.each([
    ['the leaf is not marked', { leafIsMarked: false }],
    ['the intermediate is not marked', { intermediateIsMarked: false }],
    ['the intermediate is no authority', { intermediateIsCa: false }],
    ['the chain had ended when it was signed', { validTo: noon - 86_400_000 }],
    ['the leaf had ended when it was signed', { leafValidTo: noon - 86_400_000 }],
    ['the chain began after it was signed', { validFrom: noon + 86_400_000 }],
  ])('is not, if %s', async (_, options) => {
    const wrong = await AppStorePki.create(options);
    const jws = wrong.sign(transactionPayload(noon));
    await expect(verifierOf(wrong).transaction(jws, 'Production')).rejects.toMatchObject(refusal('forged'));
  });

  it('stays good when its chain has ended since, and bad beside a good one of the same chain', async () => {
    const old = await AppStorePki.create({ validTo: noon });
    const later = verifierOf(old, false, noon + 86_400_000_000);
    const signedAt = (at: number) => later.transaction(old.sign(transactionPayload(at)), 'Production');
    await expect(signedAt(noon - 1000)).resolves.toBeDefined();
    await expect(signedAt(noon + 86_400_000)).rejects.toMatchObject(refusal('forged'));
    await expect(signedAt(noon - 1000)).resolves.toBeDefined();
  });

  it('needs a chain of three, whose root is not read', async () => {
    const { leaf, intermediate } = pki.chain;
    const signed = (x5c: string[]) => believed(pki.sign(transactionPayload(noon), { x5c }));
    await expect(signed([leaf, intermediate])).rejects.toMatchObject(refusal('forged'));
    await expect(signed([])).rejects.toMatchObject(refusal('forged'));
    await expect(signed([leaf, intermediate, 'AAAA'])).resolves.toBeDefined();
  });

  it.each([
    ['transactionId', undefined],
    ['originalTransactionId', undefined],
    ['bundleId', undefined, 'other-app'],
    ['productId', ''],
    ['type', undefined],
    ['purchaseDate', undefined],
    ['purchaseDate', 1.5],
    ['signedDate', undefined],
    ['expiresDate', undefined],
    ['price', '9990'],
    ['price', 99.9],
    ['price', -1],
    ['revocationPercentage', 100_001],
  ])('is not complete with a %s of %j', async (name, value, reason = 'malformed') => {
    await expect(believed(transaction({ [name]: value }))).rejects.toMatchObject(refusal(reason));
  });

  it.each(['', 'x', 'a.b', 'a.b.c.d', 'eyJ9.!!.AA', 'null', '..'])('is not %j', async (text) => {
    await expect(believed(text)).rejects.toMatchObject(refusal('malformed'));
  });
});

describe('renewal info', () => {
  const beside = async () => believed(transaction());
  const renewal = async (fields?: Fields) => verifier.renewal(pki.sign(renewalPayload(noon, fields)), await beside());

  it('is believed beside a transaction of its chain', async () => {
    await expect(renewal()).resolves.toMatchObject({ autoRenewStatus: 1 });
  });

  it.each([
    ['of another chain', { originalTransactionId: '1001' }, 'malformed'],
    ['of another environment', { environment: 'Sandbox' }, 'other-environment'],
    ['that does not say whether it renews', { autoRenewStatus: undefined }, 'malformed'],
    ['without a date', { signedDate: undefined }, 'malformed'],
  ])('is not, if it is one %s', async (_, fields, reason) => {
    await expect(renewal(fields)).rejects.toMatchObject(refusal(reason));
  });

  it('is not a transaction, of this app or another, even with its fields added', async () => {
    const passedOff = async (fields: Fields) => verifier.renewal(transaction(fields), await beside());
    await expect(passedOff({})).rejects.toMatchObject(refusal('malformed'));
    await expect(passedOff({ bundleId: 'com.other', autoRenewStatus: 1 })).rejects.toMatchObject(refusal('malformed'));
  });
});

describe('a notification', () => {
  const notified = (data?: Fields, fields?: Fields) =>
    verifier.notification(pki.sign(notificationPayload(noon, 'TEST', data, fields)));

  it('is believed for the environment that it is of; sandbox has no appAppleId', async () => {
    await expect(notified()).resolves.toMatchObject({ environment: 'Production' });
    const sandbox = { environment: 'Sandbox', appAppleId: undefined };
    await expect(notified(sandbox)).resolves.toMatchObject({ environment: 'Sandbox' });
  });

  it.each([
    [{ bundleId: 'com.other' }, 'other-app'],
    [{ appAppleId: 4321 }, 'other-app'],
    [{ appAppleId: undefined }, 'other-app'],
    [{ environment: 'Xcode' }, 'other-environment'],
  ])('is not with data %j', async (data, reason) => {
    await expect(notified(data)).rejects.toMatchObject(refusal(reason));
  });

  it.each(['notificationUUID', 'notificationType', 'signedDate'])('is not without %s', async (name) => {
    await expect(notified({}, { [name]: undefined })).rejects.toMatchObject(refusal('malformed'));
  });
});

it('takes roots in PEM too', async () => {
  const rootCertificates = [Buffer.from(new X509Certificate(pki.rootCertificate).toString())];
  const byPem = new AppStoreVerifier(exampleApp, { rootCertificates, onlineChecks: false }, new ManualClock(noon));
  await expect(byPem.transaction(transaction(), 'Production')).resolves.toBeDefined();
});

it('cannot be made without a root', () => {
  const settings = { rootCertificates: [], onlineChecks: false };
  expect(() => new AppStoreVerifier(exampleApp, settings, new ManualClock(noon))).toThrow(RangeError);
});
