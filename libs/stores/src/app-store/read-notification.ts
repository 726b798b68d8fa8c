import type { Observation, PurchaseEnvironment } from '@paywright/contracts';
import { z } from 'zod';
import { StoreFault } from '../store-fault.ts';
import type { AppStoreAccess } from './app-store-access.ts';
import { NotBelieved, type AppStoreVerifier, type Disbelief } from './app-store-verifier.ts';
import { askForSubscription } from './ask-for-subscription.ts';
import { notifiedParts } from './notified-parts.ts';
import { newestFirst, observe, type ChainParts } from './observation.ts';
import { inOurWords } from './signed-payloads.ts';
import { appleStatus } from './subscription-fact.ts';

/** A verified notification. `type` and `subtype` are Apple's words, those included that are new to us. */
export interface AppStoreNotification {
  readonly notificationId: string;
  readonly type: string;
  readonly subtype: string | null;
  readonly environment: PurchaseEnvironment;
  /** What it says of a chain; null if it says nothing that we use. */
  readonly observation: Observation | null;
}

const graceQuestionMs = 1_000;

const Body = z.object({ signedPayload: z.string() });

/**
 * A notification and what its own signed parts say. The store is asked only when a grace period comes without its end.
 * @throws StoreFault; see AppStore.readNotification
 */
export async function readNotification(
  access: AppStoreAccess,
  rawBody: string | Uint8Array,
  signal: AbortSignal,
): Promise<AppStoreNotification> {
  return readSignedNotification(access, signedPayloadOf(rawBody), signal);
}

/** The same of the payload alone, as the store's history of notifications has it. */
export async function readSignedNotification(
  access: AppStoreAccess,
  signedPayload: string,
  signal: AbortSignal,
): Promise<AppStoreNotification> {
  const { notification, parts } = await believeNotification(access.verifier, signedPayload).catch((error: unknown) => {
    throw error instanceof NotBelieved ? new StoreFault(...faults[error.reason]) : error;
  });
  const complete = parts && (await withGraceEnd(access, parts, signal));
  return {
    notificationId: notification.notificationUUID,
    type: notification.notificationType,
    subtype: notification.subtype ?? null,
    environment: inOurWords[notification.environment],
    observation: complete && observe(complete, access.settings.graceMs),
  };
}

const faults: Readonly<Record<Disbelief, ConstructorParameters<typeof StoreFault>>> = {
  malformed: ['notification-invalid', 'The notification is not one that the App Store makes.'],
  'other-environment': ['notification-invalid', 'The parts of the notification are of different environments.'],
  forged: ['notification-unauthorized', 'The notification was not signed by the App Store.'],
  'other-app': ['bundle-mismatch', 'The notification is about another app.'],
  passing: ['unavailable', 'The signature of the notification could not be checked for now.'],
};

function signedPayloadOf(rawBody: string | Uint8Array): string {
  try {
    return Body.parse(JSON.parse(typeof rawBody === 'string' ? rawBody : new TextDecoder().decode(rawBody)))
      .signedPayload;
  } catch {
    throw new StoreFault('notification-invalid', 'A notification is a JSON object with signedPayload.');
  }
}

/** Both inner parts are verified for the outer one's environment; renewal info alone is of no known app. */
async function believeNotification(verifier: AppStoreVerifier, signedPayload: string) {
  const notification = await verifier.notification(signedPayload);
  const { signedTransactionInfo, signedRenewalInfo } = notification.data ?? {};
  const transaction =
    signedTransactionInfo == null ? null : await verifier.transaction(signedTransactionInfo, notification.environment);
  const renewal =
    transaction === null || signedRenewalInfo == null ? null : await verifier.renewal(signedRenewalInfo, transaction);
  return { notification, parts: notifiedParts(notification, transaction, renewal) };
}

/**
 * Apple has sent grace periods without their end. It is asked for, shortly, as a notification wants its answer in a
 * second or two; without an answer the end is counted, for the news itself must not be lost.
 */
async function withGraceEnd(access: AppStoreAccess, parts: ChainParts, signal: AbortSignal): Promise<ChainParts> {
  const { subscription } = parts;
  const isOpen = subscription?.status === appleStatus.grace && subscription.renewal.gracePeriodExpiresDate == null;
  if (!isOpen) return parts;
  const { originalTransactionId, environment } = subscription.transaction;
  try {
    const shortly = AbortSignal.any([signal, AbortSignal.timeout(graceQuestionMs)]);
    const now = await askForSubscription(access, originalTransactionId, environment, shortly);
    return { ...parts, transactions: newestFirst(subscription.transaction, now), subscription: now };
  } catch (error) {
    if (error instanceof StoreFault) return parts;
    throw error;
  }
}
