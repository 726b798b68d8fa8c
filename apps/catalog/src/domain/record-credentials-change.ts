import { StoreCredentialsRemoved, StoreCredentialsSet, type RecordCredentialsChange } from '@paywright/contracts';
import type { Decision } from '@paywright/event-sourcing';
import { appNotFound } from './app-not-found.ts';
import type { AppState } from './app.ts';

/** Each setting is one, for what was set may be another; a removal only where something was set. */
export function recordCredentialsChange(
  command: RecordCredentialsChange,
  state: AppState,
): Decision<StoreCredentialsSet | StoreCredentialsRemoved> {
  const { appId, body } = command;
  if (state.status === 'absent') return appNotFound(appId);
  const told = { appId, actor: body.actor, store: body.store };
  if (body.change === 'set') return { events: [StoreCredentialsSet.of(told)], reply: {} };
  const events = state.credentials.has(body.store) ? [StoreCredentialsRemoved.of(told)] : [];
  return { events, reply: {} };
}
