import { AppSnapshot, DecisionSuperseded, PaywallServed, topics } from '@paywright/contracts';
import { CompactedTopicReader } from '@paywright/messaging';
import type { WriteServiceContext, WriteServiceParts } from '@paywright/write-service';
import { ModelRecord } from '@paywright/selection-models';
import { AppCatalogs } from './app-catalogs.ts';
import { awaitCatalogs } from './await-catalogs.ts';
import { controlledStream, controlRecords } from './control-records.ts';
import { selectionDecider, type SelectionCommand } from './domain/selection-decider.ts';
import type { SelectionEvent, SelectionState } from './domain/selection-state.ts';
import { ServedModels } from './models/served-models.ts';
import { UtcOffsets } from './models/utc-offsets.ts';
import { warmUp } from './models/warm-up.ts';

/** Where the service reads what it decides by. */
export interface SelectionSources {
  readonly catalogs: string;
  readonly models: string;
}

const sources: SelectionSources = { catalogs: topics.catalogSnapshots, models: topics.selectionModels };

/** The service's own parts: the decider over catalogs and models in memory, and the readers that keep them. */
export function assembleSelection(
  { kafka, clock, metrics }: Pick<WriteServiceContext<unknown>, 'kafka' | 'clock' | 'metrics'>,
  { catalogs: catalogsTopic, models: modelsTopic }: SelectionSources = sources,
): WriteServiceParts<SelectionCommand, SelectionState, SelectionEvent> {
  const offsets = new UtcOffsets();
  const models = new ServedModels({
    utcOffsetOf: offsets.at,
    onPolicy: (appId, model, policy) => warmUp(policy, model, catalogs.find(appId)),
    onAiShares: (appId) => catalogs.reshare(appId),
  });
  const catalogs = new AppCatalogs(models.aiSharesOf);
  const snapshots = new CompactedTopicReader({
    kafka,
    topic: catalogsTopic,
    schema: AppSnapshot,
    onRecord: (_appId, snapshot) => snapshot && catalogs.apply(snapshot),
    metrics,
  });
  const learned = new CompactedTopicReader({
    kafka,
    topic: modelsTopic,
    schema: ModelRecord,
    onRecord: (key, record) => (record === null ? models.forget(key) : models.apply(record)),
    metrics,
  });
  const modelAge = 'Age of the oldest model in use: since it last learned';
  metrics.gauge('selection_model_age_seconds', modelAge, [], () => {
    const learnedUntil = models.oldestLearnedUntil((appId, model) => catalogs.usesModel(appId, model));
    return learnedUntil === null ? 0 : Math.max(0, clock.now() - learnedUntil) / 1_000;
  });
  return {
    decider: selectionDecider({
      catalogOf: (appId) => catalogs.find(appId),
      aiSharesOf: models.aiSharesOf,
      policyOf: models.policyOf,
      utcOffsetOf: offsets.at,
      clock,
    }),
    before: (commands) => awaitCatalogs(catalogs, commands),
    extraRecords: controlRecords,
    withoutExtraRecords: [PaywallServed.type, DecisionSuperseded.type],
    stateTopic: { topic: modelsTopic, streamOf: controlledStream, reader: learned },
    checks: [snapshots, learned],
    start: async () => void (await Promise.all([snapshots.start(), learned.start()])),
    stop: async () => void (await Promise.all([snapshots.stop(), learned.stop()])),
  };
}
