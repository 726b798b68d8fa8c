import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  AppStoreApiServer,
  AppStorePki,
  exampleApp,
  notificationPayload,
  renewalPayload,
  transactionPayload,
} from '@paywright/stores/testing';
import type { AppStoreAddress, SoldPurchase, Wanted } from './app-store.ts';

/** An App Store in a process of its own: all that it will be asked is signed beforehand, and it answers at once. */
const { privateKey, publicKey } = generateKeyPairSync('ec', {
  namedCurve: 'P-256',
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});
const key = { issuerId: 'bench', keyId: 'BENCH' };
const known = { ...key, bundleId: exampleApp.bundleId, publicKey };
const [pki, production, sandbox] = await Promise.all([
  AppStorePki.create(),
  AppStoreApiServer.start(known),
  AppStoreApiServer.start(known),
]);
const rootFile = join(process.env['BENCH_FOLDER'] ?? '.', 'root.der');
writeFileSync(rootFile, pki.rootCertificate);

let lastId = 1_000_000;

function sell({ appAccountToken }: Wanted): SoldPurchase {
  const id = String(++lastId);
  const now = Date.now();
  const ids = { transactionId: id, originalTransactionId: id };
  const signedTransactionInfo = pki.sign(
    transactionPayload(now, { ...ids, ...(appAccountToken && { appAccountToken }) }),
  );
  const signedRenewalInfo = pki.sign(renewalPayload(now, { originalTransactionId: id }));
  production.transactions.set(id, signedTransactionInfo);
  production.subscriptions.set(id, [
    { originalTransactionId: id, status: 1, signedTransactionInfo, signedRenewalInfo },
  ]);
  const data = { ...exampleApp, signedTransactionInfo, signedRenewalInfo };
  const fields = { notificationUUID: randomUUID(), subtype: 'INITIAL_BUY' };
  const notification = pki.sign(notificationPayload(now, 'SUBSCRIBED', data, fields));
  return { ...ids, notification: JSON.stringify({ signedPayload: notification }) };
}

process.on('message', (wanted: readonly Wanted[]) => process.send?.(wanted.map(sell)));
process.on('disconnect', () => process.exit(0));
const address: AppStoreAddress = {
  production: production.url,
  sandbox: sandbox.url,
  rootFile,
  bundleId: exampleApp.bundleId,
  credentials: { ...key, privateKey, appAppleId: exampleApp.appAppleId },
};
process.send?.(address);
