import { ModelShareLimited, topics } from '@paywright/contracts';
import type { OutgoingMessage } from '@paywright/messaging';
import { modelStreamOf } from '@paywright/purchases';
import { type LogEntry, type ModelControlRecord, modelKey, modelOfKey } from '@paywright/selection-models';
import type { AcceptedEvents } from '@paywright/write-service';
import { shareOf } from './domain/control-model.ts';
import type { SelectionEvent, SelectionState } from './domain/selection-state.ts';

const suffix = '/control';

/** The model's stream that a record of `selection.models` tells by this key; null for what its learner publishes. */
export function controlledStream(key: string): string | null {
  const name = key.endsWith(suffix) ? modelOfKey(key.slice(0, -suffix.length)) : null;
  return name && modelStreamOf(name);
}

/**
 * What a change of a model has to be told to: those who serve it, and, in the place of its log where it came to hold,
 * its trainer.
 */
export function controlRecords({
  events,
  state,
}: AcceptedEvents<SelectionState, SelectionEvent>): readonly OutgoingMessage[] {
  const last = events.at(-1);
  if (last === undefined || !('model' in last.body)) return [];
  const name = { appId: last.body.appId, model: last.body.model };
  const { aiShare, isFrozen } = state.control;
  const key = modelKey(name);
  const version = last.streamVersion;
  const served: ModelControlRecord = { kind: 'control', ...name, aiShare: shareOf(state.control), version };
  const isRestored = last.type === ModelShareLimited.type || ('evidence' in last.body && last.body.evidence === null);
  const entry: LogEntry = {
    type: 'control',
    at: last.time,
    version,
    aiShare,
    isFrozen,
    isRestored,
  };
  return [
    { topic: topics.selectionModels, key: `${key}${suffix}`, headers: {}, value: JSON.stringify(served) },
    { topic: topics.selectionLearning, key, headers: {}, value: JSON.stringify(entry) },
  ];
}
