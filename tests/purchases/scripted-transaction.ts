import { randomInt } from 'node:crypto';
import type { AppStoreSigner } from './app-store-signer.ts';
import type { World } from './world.ts';

/** Numbers that the simulated store gives to nobody. */
const newTransactionId = (): string => String(7_000_000_000_000_000 + randomInt(1_000_000_000));

export interface ScriptedTransaction {
  readonly transactionId: string;
  readonly claims: Readonly<Record<string, unknown>>;
}

/** A transaction of app A that no store knows: what the App Store would say of it, to be signed by a test. */
export async function scriptedTransaction(
  { simulator, a }: World,
  changed: Readonly<Record<string, unknown>> = {},
): Promise<ScriptedTransaction> {
  const [transactionId, now] = [newTransactionId(), await simulator.now()];
  const claims = {
    ...{ transactionId, originalTransactionId: transactionId, bundleId: a.bundleId, productId: 'pro.monthly' },
    ...{ purchaseDate: now, originalPurchaseDate: now, expiresDate: now + 30 * 86_400_000, quantity: 1 },
    ...{ type: 'Auto-Renewable Subscription', inAppOwnershipType: 'PURCHASED', environment: 'Production' },
    ...{ price: 9_990, currency: 'USD', storefront: 'USA', transactionReason: 'PURCHASE', signedDate: now },
    ...changed,
  };
  return { transactionId, claims };
}

/** The renewal that goes with it. */
const renewalOf = ({ transactionId, claims }: ScriptedTransaction) => ({
  ...{ originalTransactionId: transactionId, productId: claims['productId'], autoRenewProductId: claims['productId'] },
  ...{ autoRenewStatus: 1, environment: claims['environment'], signedDate: claims['signedDate'] },
});

/** What a notification holds besides the signed parts. */
export interface Envelope {
  readonly signer: AppStoreSigner;
  /** The outer parts, other than they should be. */
  readonly data?: Readonly<Record<string, unknown>>;
  readonly header?: Readonly<Record<string, unknown>>;
  readonly notificationType?: string;
  readonly subtype?: string;
  readonly signedDate?: number;
}

/** The notification that such a subscription began, signed in and out. @returns the signed payload */
export async function notificationOf(
  { a }: World,
  transaction: ScriptedTransaction,
  { signer, data, header, notificationType = 'SUBSCRIBED', subtype = 'INITIAL_BUY', signedDate }: Envelope,
): Promise<string> {
  const { claims } = transaction;
  return signer.sign(
    {
      ...{ notificationUUID: crypto.randomUUID(), notificationType, subtype, version: '2.0' },
      signedDate: signedDate ?? claims['signedDate'],
      data: {
        ...{
          bundleId: a.bundleId,
          appAppleId: a.keys.appStore.appAppleId,
          environment: claims['environment'],
          status: 1,
        },
        signedTransactionInfo: await signer.sign(claims),
        signedRenewalInfo: await signer.sign(renewalOf(transaction)),
        ...data,
      },
    },
    header,
  );
}

/** Lets the store answer with the transaction, when it is asked for it. */
export async function letStoreAnswer(
  { standIn }: World,
  { transactionId, claims }: ScriptedTransaction,
  signer: AppStoreSigner,
) {
  const signedTransactionInfo = await signer.sign(claims);
  standIn.scripted.set(transactionId, { status: 200, body: JSON.stringify({ signedTransactionInfo }) });
}
