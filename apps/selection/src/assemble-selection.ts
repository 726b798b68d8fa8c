import { AppSnapshot, topics } from '@paywright/contracts';
import { CompactedTopicReader } from '@paywright/messaging';
import { uniformPolicy } from '@paywright/selection-engine';
import type { WriteServiceContext, WriteServiceParts } from '@paywright/write-service';
import { AppCatalogs } from './app-catalogs.ts';
import { awaitCatalogs } from './await-catalogs.ts';
import { selectionDecider, type SelectionCommand } from './domain/selection-decider.ts';
import type { SelectionEvent, SelectionState } from './domain/selection-state.ts';

/**
 * The service's own parts: the decider over the catalogs in memory, and the reader that keeps them.
 * @param topic of the snapshots
 */
export function assembleSelection(
  { kafka, clock, metrics }: Pick<WriteServiceContext<unknown>, 'kafka' | 'clock' | 'metrics'>,
  topic: string = topics.catalogSnapshots,
): WriteServiceParts<SelectionCommand, SelectionState, SelectionEvent> {
  const catalogs = new AppCatalogs();
  const snapshots = new CompactedTopicReader({
    kafka,
    topic,
    schema: AppSnapshot,
    onRecord: (_appId, snapshot) => snapshot && catalogs.apply(snapshot),
    metrics,
  });
  return {
    decider: selectionDecider({ catalogOf: (appId) => catalogs.find(appId), policyOf: () => uniformPolicy, clock }),
    before: (commands) => awaitCatalogs(catalogs, commands),
    checks: [snapshots],
    start: () => snapshots.start(),
    stop: () => snapshots.stop(),
  };
}
