import { z } from 'zod';
import { askedTooMuch, StoreFault } from '../store-fault.ts';
import { callAppStore, type AppStoreAccess } from './app-store-access.ts';
import { believeAnswer } from './believe-answer.ts';
import type { AppStoreEnvironment } from './signed-payloads.ts';
import type { SubscriptionParts } from './subscription-fact.ts';

/** What we use of an answer; the library takes anything for it. */
const Statuses = z.object({
  data: z
    .array(
      z.object({
        lastTransactions: z
          .array(
            z.object({
              originalTransactionId: z.string().nullish(),
              status: z.int().nullish(),
              signedTransactionInfo: z.string().nullish(),
              signedRenewalInfo: z.string().nullish(),
            }),
          )
          .nullish(),
      }),
    )
    .nullish(),
});

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
  const subscription = await findSubscription(access, originalTransactionId, environment, signal);
  if (subscription === null)
    throw new StoreFault('unavailable', 'The App Store does not tell of the subscription, or leaves parts of it out.');
  return subscription;
}

/**
 * The same of what may be no subscription, or of the other environment.
 * @returns null if the store does not tell of it
 * @throws StoreFault 'not-found' (an id that cannot exist), 'bundle-mismatch', 'not-configured', 'unavailable'
 */
export async function findSubscription(
  access: AppStoreAccess,
  originalTransactionId: string,
  environment: AppStoreEnvironment,
  signal: AbortSignal,
): Promise<SubscriptionParts | null> {
  const answer = await callAppStore(access, environment, originalTransactionId, signal, (client) =>
    client.getAllSubscriptionStatuses(originalTransactionId),
  );
  if (answer.kind === 'too-many') throw askedTooMuch('The App Store', null);
  const statuses = answer.kind === 'found' ? Statuses.safeParse(answer.body).data : undefined;
  const entry = statuses?.data
    ?.flatMap(({ lastTransactions }) => lastTransactions ?? [])
    .find((last) => last.originalTransactionId === originalTransactionId);
  const { status, signedTransactionInfo, signedRenewalInfo } = entry ?? {};
  if (signedTransactionInfo == null || signedRenewalInfo == null) return null;
  const transaction = await believeAnswer(access.verifier.transaction(signedTransactionInfo, environment));
  if (transaction.originalTransactionId !== originalTransactionId) return null;
  const renewal = await believeAnswer(access.verifier.renewal(signedRenewalInfo, transaction));
  return { transaction, renewal, status: status ?? null, expirySubtype: null, unsubscribedAt: null };
}
