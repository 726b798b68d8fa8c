import type { CreateApp, IssueKey, RecordCredentialsChange, ReplaceCatalog, RevokeKey } from '@paywright/contracts';
import type { Decider } from '@paywright/event-sourcing';
import { decodeAppState, encodeAppState } from './app-state-json.ts';
import { evolve, type AppEvent, type AppState } from './app.ts';
import { createApp, issueKey, revokeKey } from './keys.ts';
import { recordCredentialsChange } from './record-credentials-change.ts';
import { replaceCatalog } from './replace-catalog.ts';

export type AppCommand = CreateApp | IssueKey | RevokeKey | ReplaceCatalog | RecordCredentialsChange;

/** Decides what becomes of an app, whose stream is its id as text. */
export const appDecider: Decider<AppCommand, AppState, AppEvent> = {
  initialState: { status: 'absent' },
  evolve,
  decide: {
    CreateApp: createApp,
    IssueKey: issueKey,
    RevokeKey: revokeKey,
    ReplaceCatalog: replaceCatalog,
    RecordCredentialsChange: recordCredentialsChange,
  },
  // Documents are large: ten of them are read at most.
  snapshot: { code: 'app-3', every: 10, encode: encodeAppState, decode: decodeAppState },
};
