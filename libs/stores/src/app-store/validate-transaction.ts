import type { Observation, PurchaseEnvironment } from '@paywright/contracts';
import { StoreFault } from '../store-fault.ts';
import { callAppStore, type AppStoreAccess } from './app-store-access.ts';
import { firstFound } from './app-store-answer.ts';
import { askForSubscription, findSubscription } from './ask-for-subscription.ts';
import { believeAnswer } from './believe-answer.ts';
import { newestFirst, observe } from './observation.ts';
import { inAppleWords, type AppStoreEnvironment, type SignedTransaction } from './signed-payloads.ts';
import type { SubscriptionParts } from './subscription-fact.ts';
import { kindOf } from './transaction-fact.ts';
import { isTransactionId } from './transaction-id.ts';

/**
 * What a client says it bought. `environment` is asked first; the signed answer tells which it was. `isSubscription`
 * tells what to ask for first.
 */
export interface ClaimedTransaction {
  readonly transactionId: string;
  readonly originalTransactionId: string;
  readonly productId: string;
  readonly environment?: PurchaseEnvironment | undefined;
  readonly isSubscription?: boolean | undefined;
}

/**
 * What the store says of a transaction and, if it is of a subscription, of how that stands now.
 * @throws StoreFault; see AppStore.validate
 */
export async function validateTransaction(
  access: AppStoreAccess,
  claimed: ClaimedTransaction,
  signal: AbortSignal,
): Promise<Observation> {
  const environments = claimed.environment === 'sandbox' ? sandboxFirst : productionFirst;
  const subscription = await newestOf(access, claimed, environments[0], signal);
  const transaction =
    subscription?.transaction ?? (await askForTransaction(access, claimed.transactionId, environments, signal));
  refuseMismatch(transaction, claimed);
  return subscription ? observed(access, transaction, subscription) : observeWhole(access, transaction, signal);
}

/**
 * The subscription whose newest transaction is the claimed one, as it is when it was bought just now: then one
 * question tells all. Otherwise null, and whatever is wrong shows when the transaction is asked for.
 */
async function newestOf(
  access: AppStoreAccess,
  { transactionId, originalTransactionId, isSubscription }: ClaimedTransaction,
  environment: AppStoreEnvironment,
  signal: AbortSignal,
): Promise<SubscriptionParts | null> {
  const canExist = [transactionId, originalTransactionId].every(isTransactionId);
  if (isSubscription === false || !canExist) return null;
  const found = await findSubscription(access, originalTransactionId, environment, signal);
  const isIt = found?.transaction.transactionId === transactionId && kindOf(found.transaction) === 'subscription';
  return isIt ? found : null;
}

/**
 * What the store says of a chain of purchases now; nothing of it is refused. Of a subscription that is its newest
 * transaction: the original was asked for its kind alone, and may be of before the app was connected.
 * @throws StoreFault; see AppStore.observe
 */
export async function observeChain(
  access: AppStoreAccess,
  originalTransactionId: string,
  environment: PurchaseEnvironment,
  signal: AbortSignal,
): Promise<Observation> {
  const environments = [inAppleWords[environment]];
  const original = await askForTransaction(access, originalTransactionId, environments, signal);
  const subscription = await subscriptionOf(access, original, signal);
  return observed(access, subscription?.transaction ?? original, subscription);
}

const productionFirst = ['Production', 'Sandbox'] as const;
const sandboxFirst = ['Sandbox', 'Production'] as const;

async function askForTransaction(
  access: AppStoreAccess,
  transactionId: string,
  environments: readonly AppStoreEnvironment[],
  signal: AbortSignal,
): Promise<SignedTransaction> {
  const { body, environment } = await firstFound(environments, (asked) =>
    callAppStore(access, asked, transactionId, signal, (client) => client.getTransactionInfo(transactionId)),
  );
  const transaction = await believeAnswer(access.verifier.transaction(body.signedTransactionInfo ?? '', environment));
  if (transaction.transactionId === transactionId) return transaction;
  throw new StoreFault('unavailable', 'The App Store answered with another transaction.');
}

/** The subscription's newest transaction is a fact too; of one met twice, the later signature counts. */
async function observeWhole(
  access: AppStoreAccess,
  transaction: SignedTransaction,
  signal: AbortSignal,
): Promise<Observation> {
  return observed(access, transaction, await subscriptionOf(access, transaction, signal));
}

const subscriptionOf = async (
  access: AppStoreAccess,
  transaction: SignedTransaction,
  signal: AbortSignal,
): Promise<SubscriptionParts | null> =>
  kindOf(transaction) === 'subscription'
    ? askForSubscription(access, transaction.originalTransactionId, transaction.environment, signal)
    : null;

/** @throws StoreFault 'unavailable' for what we cannot read */
function observed(
  access: AppStoreAccess,
  transaction: SignedTransaction,
  subscription: SubscriptionParts | null,
): Observation {
  const observation = observe(
    { transactions: newestFirst(transaction, subscription), subscription, isRefundReversed: false },
    access.settings.graceMs,
  );
  if (observation === null) throw new StoreFault('unavailable', 'The App Store sold a type of product unknown to us.');
  return observation;
}

function refuseMismatch(transaction: SignedTransaction, claimed: ClaimedTransaction): void {
  if (transaction.productId !== claimed.productId)
    throw new StoreFault('product-mismatch', 'The transaction is of another product than productId.');
  if (transaction.originalTransactionId !== claimed.originalTransactionId)
    throw new StoreFault('original-transaction-mismatch', 'The transaction is not of originalTransactionId.');
  if (transaction.revocationDate != null)
    throw new StoreFault('revoked', 'The transaction was refunded or taken back.');
}
