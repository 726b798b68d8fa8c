import { findApp } from '../admin/apps/find-app.ts';
import type { Apps } from '../catalog/apps.ts';
import type { Realm } from '../http/realm.ts';

const bodyLimitBytes = 5 * 1024 * 1024;

/**
 * Where the stores post to: without a key, since each notification proves itself, by bytes that are signed as they were
 * sent. What names no app is refused at once, and stands in no line.
 */
export const notificationsRealm = (apps: Apps): Realm => ({
  prefix: '/notifications/',
  rawBody: true,
  bodyRequired: false,
  guessable: false,
  idempotencyKeys: false,
  bodyLimitBytes: () => bodyLimitBytes,
  priorityOf: () => 'notification',
  queryParametersOf: () => null,
  bodyFieldsOf: () => null,
  admit: ({ params }) => {
    findApp(apps, (params as { readonly appId: string }).appId);
    return null;
  },
});
