import type { PurchaseEnvironment } from '@paywright/contracts';
import { StoreFault } from '../store-fault.ts';
import { askAppStore, type AppStoreAccess } from './app-store-access.ts';
import { readSignedNotification, type AppStoreNotification } from './read-notification.ts';
import { inAppleWords } from './signed-payloads.ts';

/** What of the history is wanted: times in milliseconds, at most 180 days back; `after` is the page before's `next`. */
export interface HistoryPage {
  readonly environment: PurchaseEnvironment;
  readonly from: number;
  readonly to: number;
  readonly after: string | null;
}

export interface NotificationHistory {
  readonly notifications: readonly AppStoreNotification[];
  /** null: that was all. */
  readonly next: string | null;
}

/** @throws StoreFault; see AppStore.notificationHistory */
export async function readNotificationHistory(
  access: AppStoreAccess,
  { environment, from: startDate, to: endDate, after }: HistoryPage,
  signal: AbortSignal,
): Promise<NotificationHistory> {
  const answer = await askAppStore(access, inAppleWords[environment], signal, (client) =>
    client.getNotificationHistory(after, { startDate, endDate }),
  );
  if (answer.kind === 'refused')
    throw new StoreFault('not-configured', 'The App Store refused the credentials of this app.');
  if (answer.kind !== 'found')
    throw new StoreFault('unavailable', 'The App Store did not give its history of notifications.');
  const { notificationHistory = [], hasMore, paginationToken } = answer.body;
  const payloads = notificationHistory.flatMap(({ signedPayload }) => signedPayload ?? []);
  const notifications = await Promise.all(payloads.map((payload) => believed(access, payload, signal)));
  return {
    notifications: notifications.filter((notification) => notification !== null),
    next: hasMore === true ? (paginationToken ?? null) : null,
  };
}

/** What the store's own history holds and nobody can believe tells nothing; the rest of the page still does. */
async function believed(
  access: AppStoreAccess,
  signedPayload: string,
  signal: AbortSignal,
): Promise<AppStoreNotification | null> {
  try {
    return await readSignedNotification(access, signedPayload, signal);
  } catch (error) {
    if (error instanceof StoreFault && error.kind !== 'unavailable') return null;
    throw error;
  }
}
