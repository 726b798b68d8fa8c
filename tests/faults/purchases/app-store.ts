import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  AppStoreApiServer,
  AppStorePki,
  exampleApp,
  notificationPayload,
  renewalPayload,
  transactionPayload,
} from '@paywright/stores/testing';

import type { Buyer, Seller, Sold } from './buying.ts';

const day = 86_400_000;
const periodMs = 30 * day;
const key = { issuerId: 'faults', keyId: 'FAULTS' };

/** A month that was sold, and the body of the notification that tells of it. */
export interface Sale {
  readonly transactionId: string;
  readonly originalTransactionId: string;
  readonly productId: string;
  readonly notification: string;
}

/** An App Store of which the test decides what it sold, and when it hangs. */
export class FaultyAppStore implements Seller {
  readonly credentials: object;
  readonly #pki: AppStorePki;
  readonly #production: AppStoreApiServer;
  readonly #sandbox: AppStoreApiServer;
  readonly #folder: string;
  #lastId = 1_000_000;

  private constructor(pki: AppStorePki, production: AppStoreApiServer, sandbox: AppStoreApiServer, privateKey: string) {
    this.#pki = pki;
    this.#production = production;
    this.#sandbox = sandbox;
    this.#folder = mkdtempSync(join(tmpdir(), 'faulty-app-store-'));
    this.credentials = { ...key, privateKey, appAppleId: exampleApp.appAppleId };
    writeFileSync(this.rootFile, pki.rootCertificate);
  }

  static async start(): Promise<FaultyAppStore> {
    const { privateKey, publicKey } = generateKeyPairSync('ec', {
      namedCurve: 'P-256',
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
      publicKeyEncoding: { type: 'spki', format: 'pem' },
    });
    const known = { ...key, bundleId: exampleApp.bundleId, publicKey };
    const [pki, production, sandbox] = await Promise.all([
      AppStorePki.create(),
      AppStoreApiServer.start(known),
      AppStoreApiServer.start(known),
    ]);
    return new FaultyAppStore(pki, production, sandbox, privateKey);
  }

  get rootFile(): string {
    return join(this.#folder, 'root.der');
  }

  /** What the services are told of it. */
  get environment(): NodeJS.ProcessEnv {
    return {
      APPSTORE_API_BASE: this.#production.url,
      APPSTORE_API_BASE_SANDBOX: this.#sandbox.url,
      APPSTORE_ROOT_CERTS: this.rootFile,
    };
  }

  /** How often it was asked. */
  get questions(): number {
    return this.#production.calls.length;
  }

  /** The first month of a new subscription, 9.99 USD. @param boughtAt ten days ago if left out */
  sell(boughtAt = Date.now() - 10 * day): Sale {
    const id = String(++this.#lastId);
    return this.#sellMonth(id, id, { type: 'SUBSCRIBED', month: 0, boughtAt });
  }

  /** The `month`-th month after the first. */
  renew({ originalTransactionId }: Sale, month: number): Sale {
    const boughtAt = Date.now() - 10 * day + month * periodMs;
    return this.#sellMonth(String(++this.#lastId), originalTransactionId, { type: 'DID_RENEW', month, boughtAt });
  }

  /** Three months: the client validates the first, while the store tells of all, and of the first one twice. */
  subscribe({ profileId, appId, clients }: Buyer): Sold {
    const first = this.sell();
    const months = [first, this.renew(first, 1), this.renew(first, 2)];
    const { transactionId, originalTransactionId, productId } = first;
    const claim = JSON.stringify({ profileId, transactionId, originalTransactionId, productId });
    const posts = [
      { path: '/api/v1/web-api/purchases/apple-store/validate', body: claim, headers: clients },
      ...[...months, first].map(({ notification: body }) => ({ path: `/notifications/${appId}/app-store`, body })),
    ];
    return { transactionIds: months.map((month) => month.transactionId), rounds: [() => Promise.resolve(posts)] };
  }

  /** Its next answers about what was sold never come. */
  hang(answers: number): void {
    const fault = { kind: 'slow', on: /\/(transactions|subscriptions)\// } as const;
    this.#production.faults.push(...Array.from({ length: answers }, () => fault));
  }

  /** How many answers are still to hang. */
  get toHang(): number {
    return this.#production.faults.length;
  }

  async stop(): Promise<void> {
    await Promise.all([this.#production.stop(), this.#sandbox.stop()]);
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #sellMonth(
    transactionId: string,
    originalTransactionId: string,
    { type, month, boughtAt: purchaseDate }: { type: string; month: number; boughtAt: number },
  ): Sale {
    const now = Date.now();
    const sold = transactionPayload(now + month, {
      transactionId,
      originalTransactionId,
      purchaseDate,
      expiresDate: purchaseDate + periodMs,
    });
    const signedTransactionInfo = this.#pki.sign(sold);
    const signedRenewalInfo = this.#pki.sign(renewalPayload(now + month, { originalTransactionId }));
    const standing = { originalTransactionId, status: 1, signedTransactionInfo, signedRenewalInfo };
    this.#production.transactions.set(transactionId, signedTransactionInfo);
    this.#production.subscriptions.set(originalTransactionId, [standing]);
    const data = { ...exampleApp, signedTransactionInfo, signedRenewalInfo };
    const notification = notificationPayload(now + month, type, data, { notificationUUID: randomUUID() });
    return {
      transactionId,
      originalTransactionId,
      productId: sold.productId,
      notification: JSON.stringify({ signedPayload: this.#pki.sign(notification) }),
    };
  }
}
