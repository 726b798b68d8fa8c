import { decodeSnapshot } from '@paywright/selection-engine';
import type { ReceivedMessage } from '@paywright/messaging/topics';
import { LogEntry, ModelRecord, modelKey, SnapshotParts, type PublishedSnapshot } from '@paywright/selection-models';
import { ModelLearner } from '../../apps/learner/src/training/model-learner.ts';
import type { Lived } from './customers.ts';

/** A snapshot as it was published, and when the broker had its last part. */
export interface Published extends PublishedSnapshot {
  readonly storedAt: number;
}

/** What a model becomes by its log alone, read once more from its beginning, without a checkpoint. */
export interface Replayed {
  /** Every snapshot that came due, in order: a learner that was behind published the newest of several. */
  readonly sha256s: readonly string[];
  readonly learned: Lived;
}

/** @param log the records of `selection.learning`, each partition's in order @returns by model's key */
export function replayed(log: readonly ReceivedMessage[]): ReadonlyMap<string, Replayed> {
  const learners = new Map<string, { learner: ModelLearner; sha256s: string[]; exposures: number }>();
  for (const { key, value } of log) {
    if (key === null) throw new Error('A record of the log names no model.');
    const known = learners.get(key) ?? { learner: ModelLearner.fresh(key), sha256s: [], exposures: 0 };
    learners.set(key, known);
    known.learner.apply(LogEntry.parse(JSON.parse(String(value))));
    const snapshot = known.learner.takeSnapshot();
    if (snapshot === null) continue;
    known.sha256s.push(snapshot.sha256);
    known.exposures = decodeSnapshot(snapshot.bytes).exposures;
  }
  const results = [...learners].map(([key, { learner, sha256s, exposures }]) => {
    return [key, { sha256s, learned: { exposures, starts: learner.report().starts } }] as const;
  });
  return new Map(results);
}

/** Whole snapshots on `selection.models`, by model's key, in the order in which they were published. */
export function publishedOf(records: readonly ReceivedMessage[]): ReadonlyMap<string, readonly Published[]> {
  const parts = new SnapshotParts();
  const published = new Map<string, Published[]>();
  for (const { value, timestamp } of records) {
    const record = ModelRecord.parse(JSON.parse(String(value)));
    const snapshot = record.kind === 'snapshot' ? parts.add(record) : null;
    if (snapshot === null) continue;
    const key = modelKey(snapshot);
    published.set(key, [...(published.get(key) ?? []), { ...snapshot, storedAt: timestamp }]);
  }
  return published;
}
