export { ControlEntry, LogEntry, RebuildEntry, RebuiltEntry } from './log-entry.ts';
export { modelKey, modelOfKey, type ModelName } from './model-key.ts';
export { ModelControlRecord, ModelRecord } from './model-record.ts';
export { modelKeyOfPart, type PublishedSnapshot, sha256Of, snapshotRecords, SnapshotParts } from './snapshot-parts.ts';
