import type { Realm } from '../http/realm.ts';

const bodyLimitBytes = 5 * 1024 * 1024;

/**
 * Where the stores post to: without a key, since each notification proves itself, by bytes that are signed as they were
 * sent.
 */
export const notificationsRealm: Realm = {
  prefix: '/notifications/',
  rawBody: true,
  bodyRequired: false,
  guessable: false,
  idempotencyKeys: false,
  bodyLimitBytes: () => bodyLimitBytes,
  priorityOf: () => 'notification',
  admit: () => null,
};
