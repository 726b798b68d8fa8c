import { topics } from '@paywright/contracts';
import type { OutgoingMessage } from '@paywright/messaging';
import { appSnapshot } from './domain/app-state-json.ts';
import type { AppState } from './domain/app.ts';

/** The app as it is now, for `catalog.snapshots`: with each accepted command, so that a redelivery heals a gap. */
export function snapshotRecords({ state }: { readonly state: AppState }): readonly OutgoingMessage[] {
  if (state.status === 'absent') return [];
  const value = JSON.stringify(appSnapshot(state));
  return [{ topic: topics.catalogSnapshots, key: String(state.appId), headers: {}, value }];
}
