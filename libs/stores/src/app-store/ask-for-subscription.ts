import { StoreFault } from '../store-fault.ts';
import { callAppStore, type AppStoreAccess } from './app-store-access.ts';
import { believeAnswer } from './believe-answer.ts';
import type { AppStoreEnvironment } from './signed-payloads.ts';
import type { SubscriptionParts } from './subscription-fact.ts';

/**
 * How a subscription that the store has told us of stands, by its newest transaction.
 * @throws StoreFault 'bundle-mismatch', 'not-configured', 'unavailable' (also: the store does not know it any more)
 */
export async function askForSubscription(
  access: AppStoreAccess,
  originalTransactionId: string,
  environment: AppStoreEnvironment,
  signal: AbortSignal,
): Promise<SubscriptionParts> {
  const answer = await callAppStore(access, environment, originalTransactionId, signal, (client) =>
    client.getAllSubscriptionStatuses(originalTransactionId),
  );
  if (answer.kind !== 'found') throw new StoreFault('unavailable', 'The App Store does not tell of the subscription.');
  const entry = answer.body.data
    ?.flatMap(({ lastTransactions }) => lastTransactions ?? [])
    .find((last) => last.originalTransactionId === originalTransactionId);
  const { status, signedTransactionInfo, signedRenewalInfo } = entry ?? {};
  if (signedTransactionInfo == null || signedRenewalInfo == null) throw incomplete();
  const transaction = await believeAnswer(access.verifier.transaction(signedTransactionInfo, environment));
  if (transaction.originalTransactionId !== originalTransactionId) throw incomplete();
  const renewal = await believeAnswer(access.verifier.renewal(signedRenewalInfo, transaction));
  return { transaction, renewal, status: status ?? null, expirySubtype: null, unsubscribedAt: null };
}

const incomplete = () => new StoreFault('unavailable', 'The App Store left the subscription out of its answer.');
