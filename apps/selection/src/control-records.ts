import { topics, type Outcome } from '@paywright/contracts';
import type { OutgoingMessage } from '@paywright/messaging';
import { type LogEntry, type ModelControlRecord, modelKey } from '@paywright/selection-models';
import type { SelectionCommand } from './domain/selection-decider.ts';
import type { SelectionEvent, SelectionState } from './domain/selection-state.ts';

type Accepted = Extract<Outcome<SelectionCommand, SelectionState, SelectionEvent>, { kind: 'accepted' }>;

/**
 * What a change of a model has to be told to: those who serve it, and, in the place of its log where it came to hold,
 * its trainer.
 */
export function controlRecords({ command, events, state }: Accepted): readonly OutgoingMessage[] {
  if (command.type !== 'SetAiShare' && command.type !== 'FreezeModel') return [];
  const last = events.at(-1);
  if (last === undefined) return [];
  const name = { appId: command.appId, model: command.body.model };
  const { aiShare, isFrozen } = state.control;
  const key = modelKey(name);
  const served: ModelControlRecord = { kind: 'control', ...name, aiShare };
  const isRestored = 'evidence' in last.body && last.body.evidence === null;
  const entry: LogEntry = {
    type: 'control',
    at: last.time,
    version: last.streamVersion,
    aiShare,
    isFrozen,
    isRestored,
  };
  return [
    { topic: topics.selectionModels, key: `${key}/control`, headers: {}, value: JSON.stringify(served) },
    { topic: topics.selectionLearning, key, headers: {}, value: JSON.stringify(entry) },
  ];
}
